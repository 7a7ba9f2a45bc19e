export const BLOCK_START = "<!-- SIGNET:START -->";
export const BLOCK_END = "<!-- SIGNET:END -->";

/** Removes every complete Signet block, each with the newline after it. */
export function stripSignetBlocks(text: string): string {
  let rest = text;
  for (;;) {
    const span = blockSpan(rest);
    if (span === undefined) return rest;
    const after = rest.startsWith("\r\n", span.end) ? 2 : rest.startsWith("\n", span.end) ? 1 : 0;
    rest = rest.slice(0, span.start) + rest.slice(span.end + after);
  }
}

/** The first complete block: from the last start mark before an end mark to the end of that end mark. */
function blockSpan(text: string): { start: number; end: number } | undefined {
  const first = text.indexOf(BLOCK_START);
  if (first < 0) return undefined;
  const end = text.indexOf(BLOCK_END, first);
  if (end < 0) return undefined;
  // A start mark further up that has no end is the user's text: it must not swallow what follows it.
  return { start: text.lastIndexOf(BLOCK_START, end), end: end + BLOCK_END.length };
}
