export const BLOCK_START = "<!-- SIGNET:START -->";
export const BLOCK_END = "<!-- SIGNET:END -->";

/**
 * Removes every complete Signet block, each with the newline after it. An end mark
 * belongs to the last start mark before it that has no end: a start mark further up
 * is the user's text, and must not swallow what follows it.
 */
export function stripSignetBlocks(text: string): string {
  const starts: number[] = [];
  const blocks: { start: number; end: number }[] = [];
  let start = text.indexOf(BLOCK_START);
  let end = text.indexOf(BLOCK_END);
  while (end !== -1) {
    if (start !== -1 && start < end) {
      starts.push(start);
      start = text.indexOf(BLOCK_START, start + 1);
      continue;
    }
    const first = starts.pop();
    if (first !== undefined) {
      // What is inside this block goes with it.
      while ((blocks.at(-1)?.start ?? -1) > first) blocks.pop();
      blocks.push({ start: first, end: afterNewline(text, end + BLOCK_END.length) });
    }
    end = text.indexOf(BLOCK_END, end + 1);
  }
  return without(text, blocks);
}

function afterNewline(text: string, at: number): number {
  return text.startsWith("\r\n", at) ? at + 2 : text.startsWith("\n", at) ? at + 1 : at;
}

function without(text: string, blocks: readonly { start: number; end: number }[]): string {
  const kept: string[] = [];
  let from = 0;
  for (const { start, end } of blocks) {
    kept.push(text.slice(from, start));
    from = end;
  }
  return kept.join("") + text.slice(from);
}
