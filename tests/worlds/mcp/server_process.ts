import { DIST } from "../built.ts";
import { record } from "../../../connectors/base/memory/daemon.ts";

export const BINARY = `${DIST}/signet-pyagent`;

/** `signet-pyagent mcp` as a harness has it: a process, and three pipes. */
export class ServerProcess implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reader: ReadableStreamDefaultReader<string>;
  #text = "";

  constructor(env: Record<string, string>, ...args: string[]) {
    this.#child = new Deno.Command(BINARY, {
      args: ["mcp", ...args],
      env,
      clearEnv: true,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#writer = this.#child.stdin.getWriter();
    this.#reader = this.#child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  }

  write(text: string): Promise<void> {
    return this.#writer.write(new TextEncoder().encode(text));
  }

  async readLine(): Promise<Record<string, unknown>> {
    while (!this.#text.includes("\n")) {
      const { done, value } = await this.#reader.read();
      if (done) throw new Error(`the server ended after: ${this.#text}`);
      this.#text += value;
    }
    const [line = "", ...rest] = this.#text.split("\n");
    this.#text = rest.join("\n");
    return record(JSON.parse(line)) ?? {};
  }

  kill(signal: Deno.Signal): void {
    this.#child.kill(signal);
  }

  closeInput(): Promise<void> {
    return this.#writer.close();
  }

  /** Stops reading, as a harness that crashed. */
  hangUp(): Promise<void> {
    return this.#reader.cancel();
  }

  /** Waits for its end, and returns what was not read before. */
  async end(): Promise<{ code: number; stdout: string; stderr: string }> {
    const stderr = new Response(this.#child.stderr).text();
    for (let done = false; !done;) {
      const chunk = await this.#reader.read();
      this.#text += chunk.value ?? "";
      done = chunk.done;
    }
    const { code } = await this.#child.status;
    // The pipe may be broken or closed by now.
    await this.#writer.close().catch(() => {});
    return { code, stdout: this.#text, stderr: await stderr };
  }

  /** Ends it, where a test failed before the end. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // It has ended.
    }
    await this.#child.status;
  }
}
