import { join } from "@std/path";
import { stateDir } from "../../hooks/state/paths.ts";
import { LiveSessions } from "../../hooks/state/live_sessions.ts";
import { readTranscript } from "../../hooks/transcript/transcript.ts";
import { REPLY } from "./model/turn.ts";
import type { Stage } from "./stage.ts";
import { poll } from "./watch.ts";

/** A screen may draw all the time, and takes minutes on a busy machine. */
const SCREEN_MS = 300_000;

/** A program in a window of tmux. The window can be closed, and the program's processes can be killed. */
export class Screen implements AsyncDisposable {
  /** The first process in the window. */
  #leader = 0;

  private constructor(readonly stage: Stage, readonly socket: string, readonly cwd: string) {}

  /** Opens the harness's screen in a directory. */
  static async open(
    stage: Stage,
    args: readonly string[],
    env: Record<string, string>,
    cwd = stage.project,
  ): Promise<Screen> {
    const screen = new Screen(stage, join(stage.root, `tmux-${crypto.randomUUID().slice(0, 8)}`), cwd);
    const words = [stage.programPath, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
    const size = ["-x", "120", "-y", "40"];
    const opened = await screen.#tmux([
      "-f",
      "/dev/null",
      "new-session",
      "-d",
      ...size,
      `exec ${words.join(" ")}`,
    ], env);
    if (opened.code !== 0) throw new Error(`tmux: ${opened.stderr}`);
    screen.#leader = Number((await screen.#tmux(["list-panes", "-F", "#{pane_pid}"])).stdout.trim());
    return screen;
  }

  #tmux(args: string[], env: Record<string, string> = {}) {
    const { stage, socket, cwd } = this;
    return stage.exec("tmux", ["-S", socket, ...args], { cwd, env, timeoutMs: 120_000 });
  }

  /** Pastes a line and enters it. After typed text, a screen may take the key for a pasted line break. */
  async enter(line: string): Promise<void> {
    if (line !== "") {
      await this.#tmux(["set-buffer", "--", line]);
      await this.#tmux(["paste-buffer", "-p"]);
      await poll(() => this.text(), (text) => text.includes(line), 60_000);
    }
    await this.#tmux(["send-keys", "Enter"]);
  }

  /** What the window shows, for the report of a failure. */
  async text(): Promise<string> {
    return (await this.#tmux(["capture-pane", "-p"])).stdout.trim();
  }

  /** Closes the window: its processes get SIGHUP. */
  async close(): Promise<void> {
    await this.#tmux(["kill-server"]);
  }

  /** Presses a key, by its name in tmux. */
  async press(key: string): Promise<void> {
    await this.#tmux(["send-keys", key]);
  }

  /** Whether the program has rung the bell since the window was opened. */
  async hasRung(): Promise<boolean> {
    return (await this.#tmux(["display-message", "-p", "#{window_bell_flag}"])).stdout.trim() === "1";
  }

  /** Kills the program alone, and not what it has started. */
  async killProgram(): Promise<void> {
    kill(Number((await this.#tmux(["list-panes", "-F", "#{pane_pid}"])).stdout.trim()), "SIGKILL");
  }

  /** Sends a signal to every process in the window. */
  async signal(signal: Deno.Signal): Promise<void> {
    if (this.#leader === 0) return;
    for (const { pid, session } of await processes()) if (session === this.#leader) kill(pid, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.signal("SIGKILL");
    await this.close();
  }
}

function kill(pid: number, signal: Deno.Signal): void {
  try {
    Deno.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

/** Sends a signal to every process whose program is below a directory, and returns how many there were. */
export async function signalProgramsBelow(dir: string, signal: Deno.Signal): Promise<number> {
  let count = 0;
  for (const { pid } of await processes()) {
    const program = await Deno.readLink(`/proc/${pid}/exe`).catch(() => "");
    if (!program.startsWith(`${dir}/`)) continue;
    kill(pid, signal);
    count++;
  }
  return count;
}

interface Process {
  readonly pid: number;
  readonly session: number;
}

async function processes(): Promise<Process[]> {
  const found: Process[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await Deno.readTextFile(`/proc/${name}/stat`).catch(() => "");
    // The program's name may have spaces and brackets in it.
    const [, , , session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    found.push({ pid: Number(name), session: Number(session) });
  }
  return found;
}

/**
 * The key of the session in which the model has answered a prompt with this mark. The
 * transcript is read as a hook reads it: the file also holds the program's requests to
 * the model, and these may name the reply before the model has given it.
 */
export async function answeredSession(stage: Stage, mark: string): Promise<string | undefined> {
  const { harness } = stage.scenario;
  const live = liveSessions(stage);
  const find = async () => {
    for (const { key, transcriptPath = "" } of live.list()) {
      const text = await readTranscript(transcriptPath, harness) ?? "";
      const at = text.indexOf(mark);
      if (at >= 0 && REPLIES.some((reply) => text.includes(reply, at))) return key;
    }
    return undefined;
  };
  return await poll(find, (key) => key !== undefined, SCREEN_MS);
}

/** The harness's sessions that have started and not ended. */
export function liveSessions({ home, scenario }: Stage): LiveSessions {
  const host = { os: Deno.build.os, env: (name: string) => name === "HOME" ? home : undefined };
  return new LiveSessions(stateDir(scenario.harness.id, host) ?? join(home, "none"));
}

/** The model's reply in the two forms that daemons keep. */
const REPLIES = [`Assistant: ${REPLY}`, JSON.stringify({ type: "agent_message", text: REPLY })];
