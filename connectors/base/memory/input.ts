/** Reading stops here: longer input is neither a memory nor a query. */
const MOST_BYTES = 4_000_000;

interface Stdin {
  isTerminal(): boolean;
  readonly readable: ReadableStream<Uint8Array>;
}

/**
 * TEXT from the arguments, or from stdin if there are none (or a single `-`).
 * Without arguments at a terminal the text is empty, instead of waiting for input.
 */
export async function inputText(words: readonly string[], stdin: Stdin = Deno.stdin): Promise<string> {
  const dash = words.length === 1 && words[0] === "-";
  if (words.length > 0 && !dash) return words.join(" ");
  if (stdin.isTerminal() && !dash) return "";
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of stdin.readable) {
    bytes += chunk.length;
    text += decoder.decode(chunk, { stream: true });
    if (bytes > MOST_BYTES) break;
  }
  return text + decoder.decode();
}
