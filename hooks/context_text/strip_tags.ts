/** Removes `<tag>…</tag>` blocks and the blank lines they leave; keeps an unclosed block. */
export function stripTags(text: string, tags: readonly string[]): string {
  if (!text.includes("<")) return text;
  let result = text;
  for (const tag of tags) {
    let from = 0;
    // indexOf instead of a regular expression: a prompt may contain a megabyte of "<tag>".
    while (true) {
      const start = openTag(result, tag, from);
      if (start === -1) break;
      const end = result.indexOf(`</${tag}>`, start);
      if (end === -1) break;
      const before = result.slice(0, start).replace(/[ \t]+$/, "");
      const after = result.slice(end + tag.length + 3).replace(/^\s*\n/, "");
      result = before + after;
      from = before.length;
    }
  }
  return result === text ? text : result.trim();
}

/** `<tag>` or `<tag attribute…>`. */
function openTag(text: string, tag: string, from: number): number {
  for (let at = text.indexOf(`<${tag}`, from); at !== -1; at = text.indexOf(`<${tag}`, at + 1)) {
    const next = text[at + tag.length + 1];
    if (next === ">" || next === " " || next === "\n") return at;
  }
  return -1;
}
