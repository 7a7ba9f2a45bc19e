/** Removes `<tag>…</tag>` blocks and the blank lines they leave; keeps an unclosed block. */
export function stripTags(text: string, tags: readonly string[]): string {
  if (!text.includes("<")) return text;
  let result = text;
  for (const tag of tags) result = stripTag(result, tag);
  return result === text ? text : result.trim();
}

/** One pass without regular expressions: a prompt may contain a megabyte of tags or of spaces. */
function stripTag(text: string, tag: string): string {
  const close = `</${tag}>`;
  const kept: string[] = [];
  let from = 0;
  for (let start = openTag(text, tag, 0); start !== -1; start = openTag(text, tag, from)) {
    const end = text.indexOf(close, start);
    if (end === -1) break;
    kept.push(withoutTrailingBlanks(text.slice(from, start)));
    from = afterBlankLines(text, end + close.length);
  }
  return kept.length === 0 ? text : kept.join("") + text.slice(from);
}

/** `<tag>` or `<tag attribute…>`. */
function openTag(text: string, tag: string, from: number): number {
  for (let at = text.indexOf(`<${tag}`, from); at !== -1; at = text.indexOf(`<${tag}`, at + 1)) {
    const next = text[at + tag.length + 1];
    if (next === ">" || next === " " || next === "\n") return at;
  }
  return -1;
}

function withoutTrailingBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === " " || text[end - 1] === "\t")) end--;
  return text.slice(0, end);
}

/** Where the first line with text begins; `from` if that is in this line. */
function afterBlankLines(text: string, from: number): number {
  let next = from;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\n") next = at + 1;
    else if (text.charAt(at).trim() !== "") break;
  }
  return next;
}
