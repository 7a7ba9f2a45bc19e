import { killGroup } from "../process.ts";
import type { Stage } from "../stage.ts";
import { poll } from "../watch.ts";

/** The user's gateway token, on a gateway that only loopback reaches. */
export const TOKEN = "stub-token";

/** OpenClaw's gateway, as a process of its own. */
export class Gateway implements AsyncDisposable {
  #child: Deno.ChildProcess | undefined;

  private constructor(child: Deno.ChildProcess) {
    this.#child = child;
  }

  static freePort(): number {
    using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    return listener.addr.port;
  }

  static async start(stage: Stage, port: number): Promise<Gateway> {
    const child = new Deno.Command(stage.programPath, {
      args: ["gateway", "run"],
      cwd: stage.project,
      env: stage.env(),
      clearEnv: true,
      stdin: "null",
      stdout: "null",
      stderr: "null",
      detached: true,
    }).spawn();
    const gateway = new Gateway(child);
    if (await Gateway.isUp(port, true)) return gateway;
    await gateway[Symbol.asyncDispose]();
    throw new Error("OpenClaw's gateway was not healthy after 90 s");
  }

  /** Waits until a gateway answers on a port, or until none does; returns whether one does. */
  static isUp(port: number, expected: boolean): Promise<boolean> {
    return poll(() => answers(`http://127.0.0.1:${port}/healthz`), (up) => up === expected);
  }

  /** Asks it to stop, as a service manager would, and waits until it has. */
  async stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    this.#child = undefined;
    killGroup(child.pid, "SIGTERM");
    const timer = setTimeout(() => killGroup(child.pid, "SIGKILL"), 30_000);
    await child.status;
    clearTimeout(timer);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url);
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}
