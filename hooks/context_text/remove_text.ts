/**
 * Removes every occurrence of `part`, like `replaceAll(part, "")`, in linear time
 * (Knuth, Morris and Pratt). V8's search takes length × length for a long text of
 * equal characters, and a daemon chooses `part`.
 */
export function removeText(text: string, part: string): string {
  if (part === "" || part.length > text.length) return text;
  const borders = borderLengths(part);
  const kept: string[] = [];
  let from = 0;
  let matched = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    while (matched > 0 && part.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0;
    if (part.charCodeAt(matched) === code) matched++;
    if (matched === part.length) {
      kept.push(text.slice(from, at + 1 - part.length));
      from = at + 1;
      matched = 0;
    }
  }
  kept.push(text.slice(from));
  return kept.join("");
}

/** For each prefix, the length of its longest proper prefix that is also its suffix. */
function borderLengths(part: string): Int32Array {
  const borders = new Int32Array(part.length);
  let length = 0;
  for (let at = 1; at < part.length; at++) {
    const code = part.charCodeAt(at);
    while (length > 0 && part.charCodeAt(length) !== code) length = borders[length - 1] ?? 0;
    if (part.charCodeAt(length) === code) length++;
    borders[at] = length;
  }
  return borders;
}
