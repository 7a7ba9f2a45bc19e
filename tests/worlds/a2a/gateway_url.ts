/** The address that `a2a serve` prints. What it prints afterwards is read and dropped, so that it never blocks. */
export async function gatewayUrl({ stdout }: Pick<Deno.ChildProcess, "stdout">): Promise<string> {
  const reader = stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const [, url] = / at (http:\S+)\n/.exec(text) ?? [];
    if (url !== undefined) {
      void drop(reader);
      return url;
    }
    const { value, done } = await reader.read();
    if (done) throw new Error(`The gateway did not start: ${text}`);
    text += value;
  }
}

async function drop(reader: ReadableStreamDefaultReader<string>): Promise<void> {
  while (!(await reader.read()).done);
}
