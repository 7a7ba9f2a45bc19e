import { record, records } from "../../../connectors/base/memory/daemon.ts";
import { lines } from "../lines.ts";
import { programArgs } from "../programs.ts";

/** `signet-connect mcp -H HARNESS` in a home, as a harness starts it. */
export class McpProcess implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #lines: AsyncGenerator<string>;
  #id = 0;

  constructor(harness: string, env: Record<string, string>, cwd: string) {
    const denoDir = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
    this.#child = new Deno.Command(Deno.execPath(), {
      args: [...programArgs("connectors/connect/main.ts"), "mcp", "-H", harness],
      env: { PATH: "/usr/bin:/bin", DENO_DIR: denoDir, ...env },
      clearEnv: true,
      cwd,
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#writer = this.#child.stdin.getWriter();
    this.#lines = lines(this.#child.stdout);
  }

  /** Calls a tool, and returns its text. */
  async call(name: string, args: Record<string, unknown> = {}): Promise<{ text: string; isError: boolean }> {
    const id = ++this.#id;
    await this.#send({ id, method: "tools/call", params: { name, arguments: args } });
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done) throw new Error("The server ended.");
      const answer = record(JSON.parse(value));
      if (answer?.id !== id) continue;
      const result = record(answer.result);
      return { text: String(records(result?.content)[0]?.text), isError: result?.isError === true };
    }
  }

  async #send(message: Record<string, unknown>): Promise<void> {
    await this.#writer.write(new TextEncoder().encode(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`));
  }

  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writer.close().catch(() => {});
    await this.#child.status;
    // Reads to the end, which closes the pipe.
    await Array.fromAsync(this.#lines);
  }
}
