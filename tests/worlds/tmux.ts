import { run } from "../../scripts/build/run.ts";
import { HANG_MS, until } from "../../connectors/base/testing/until.ts";

/** A person at a terminal: sees a screen, types, presses keys. */
export class Tmux implements AsyncDisposable {
  private constructor(private readonly socket: string) {}

  /** Runs a shell command in a terminal of its own; the screen stays when it has ended. */
  static async start(
    command: string,
    { dir, home, path }: { dir: string; home: string; path: string },
  ): Promise<Tmux> {
    const socket = `${dir}/tmux-${crypto.randomUUID().slice(0, 8)}`;
    const terminal = new Tmux(socket);
    // Ctrl-C is for the program; the shell, which prints how it ended, stays.
    const shell = `trap : INT; ${command}; echo "ended with $?"; exec sleep 300`;
    await terminal.#tmux(
      ["new-session", "-d", "-x", "110", "-y", "60", "-c", home, "sh", "-c", shell],
      { HOME: home, PATH: path, TERM: "xterm-256color", LANG: "C.UTF-8" },
    );
    return terminal;
  }

  /** All that was printed, from the first line on. */
  async screen(): Promise<string> {
    return await this.#tmux(["capture-pane", "-p", "-J", "-S", "-"]);
  }

  async type(text: string): Promise<void> {
    await this.#tmux(["send-keys", "-l", text]);
  }

  /** By tmux's names: Enter, Space, C-c. */
  async press(...keys: string[]): Promise<void> {
    await this.#tmux(["send-keys", ...keys]);
  }

  /** Waits until the screen shows this text. */
  async sees(text: string): Promise<string> {
    let screen = "";
    try {
      return await until(`the screen shows ${text}`, async () => {
        screen = await this.screen();
        return screen.includes(text) && screen;
      });
    } catch (error) {
      throw new Error(`"${text}" is not on the screen:\n${screen.trimEnd()}`, { cause: error });
    }
  }

  async #tmux(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
    const full = ["-S", this.socket, "-f", "/dev/null", ...args];
    const options = {
      env: { PATH: "/usr/local/bin:/usr/bin:/bin", LANG: "C.UTF-8", ...env },
      clearEnv: true,
    };
    const { code, stdout, stderr } = await run("tmux", full, { ...options, timeoutMs: HANG_MS });
    if (code !== 0) throw new Error(`tmux ${args[0]}: ${stderr.trim()}`);
    return stdout;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tmux(["kill-server"]);
  }
}
