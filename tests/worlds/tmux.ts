import { run } from "../../scripts/build/run.ts";
import { HANG_MS, until } from "../../connectors/base/testing/until.ts";

export interface TmuxOptions {
  /** Where its socket is. */
  readonly dir: string;
  readonly home: string;
  readonly path: string;
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Record<string, string>;
}

/** A person at a terminal: sees a screen, types, presses keys. */
export class Tmux implements AsyncDisposable {
  private constructor(private readonly socket: string) {}

  /** Runs a shell command in a terminal of its own; the screen stays when it has ended. */
  static async start(
    command: string,
    { dir, home, path, columns = 110, rows = 60, env = {} }: TmuxOptions,
  ): Promise<Tmux> {
    const socket = `${dir}/tmux-${crypto.randomUUID().slice(0, 8)}`;
    const terminal = new Tmux(socket);
    // Ctrl-C is for the program; the shell, which prints how it ended, stays.
    const shell = `trap : INT; ${command}; echo "ended with $?"; exec sleep 300`;
    await terminal.#tmux(
      ["new-session", "-d", "-x", String(columns), "-y", String(rows), "-c", home, "sh", "-c", shell],
      { HOME: home, PATH: path, TERM: "xterm-256color", LANG: "C.UTF-8", ...env },
    );
    return terminal;
  }

  /** All that was printed, from the first line on. */
  async screen(): Promise<string> {
    return await this.#tmux(["capture-pane", "-p", "-J", "-S", "-"]);
  }

  /** What the terminal shows now; `isColored` keeps the sequences for colors. */
  async visible(isColored = false): Promise<string> {
    return await this.#tmux(["capture-pane", "-p", ...isColored ? ["-e"] : []]);
  }

  /** What tmux knows about the terminal: `#{pane_title}`. */
  async fact(format: string): Promise<string> {
    return (await this.#tmux(["display-message", "-p", format])).trim();
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.#tmux(["resize-window", "-x", String(columns), "-y", String(rows)]);
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
    return await this.#until(text, () => this.screen(), (screen) => screen.includes(text));
  }

  /** Waits until what the terminal shows now matches. */
  async shows(pattern: RegExp): Promise<string> {
    return await this.#until(String(pattern), () => this.visible(), (screen) => pattern.test(screen));
  }

  async #until(
    what: string,
    look: () => Promise<string>,
    matches: (screen: string) => boolean,
  ): Promise<string> {
    let screen = "";
    try {
      return await until(`the screen shows ${what}`, async () => {
        screen = await look();
        return matches(screen) && screen;
      });
    } catch (error) {
      throw new Error(`"${what}" is not on the screen:\n${screen.trimEnd()}`, { cause: error });
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
