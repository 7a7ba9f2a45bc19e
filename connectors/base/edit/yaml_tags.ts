import { CST, Parser } from "yaml";

/**
 * Replaces custom tags (`!env HOME`) with spaces: only the user's program knows
 * their meaning, and other parsers reject them.
 */
export function withoutTags(text: string): string {
  if (!/(?:^|[\s,[{-])![^\s!]/m.test(text)) return text;
  let out = text;
  for (const document of new Parser().parse(text)) {
    if (document.type !== "document") continue;
    CST.visit(document, (item) => {
      for (const token of [...item.start, ...item.sep ?? []]) {
        if (token.type !== "tag" || token.source.startsWith("!!")) continue;
        out = out.slice(0, token.offset) + " ".repeat(token.source.length) +
          out.slice(token.offset + token.source.length);
      }
    });
  }
  return out;
}
