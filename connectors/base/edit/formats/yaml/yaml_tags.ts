import { CST, Parser } from "yaml";
import { type Splice, splice } from "../../text/splice.ts";
import { yamlSections } from "./yaml_sections.ts";

/**
 * Replaces custom tags (`!env HOME`) with spaces: only the user's program knows
 * their meaning, and other parsers reject them.
 */
export function withoutTags(text: string): string {
  if (!MAY_HAVE_TAGS.test(text)) return text;
  const sections = yamlSections(text) ?? [];
  const tagged = sections.filter(({ start, end }) => MAY_HAVE_TAGS.test(text.slice(start, end)));
  const parts = sections.length > 0 ? tagged : [{ start: 0, end: text.length }];
  return splice(text, parts.flatMap(({ start, end }) => tagsIn(text.slice(start, end), start)));
}

const MAY_HAVE_TAGS = /(?:^|[\s,[{-])![^\s!]/m;

function tagsIn(text: string, offset: number): Splice[] {
  const tags: Splice[] = [];
  for (const document of new Parser().parse(text)) {
    if (document.type !== "document") continue;
    CST.visit(document, (item) => {
      for (const token of [...item.start, ...item.sep ?? []]) {
        if (token.type !== "tag" || token.source.startsWith("!!")) continue;
        const [start, end] = [offset + token.offset, offset + token.offset + token.source.length];
        tags.push({ start, end, text: " ".repeat(token.source.length) });
      }
    });
  }
  return tags;
}
