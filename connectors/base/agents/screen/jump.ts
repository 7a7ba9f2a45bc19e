import type { Terminal } from "../../../../hooks/agents/sessions/session.ts";

/** Runs a program and returns what it printed. */
export type Run = (
  program: string,
  args: readonly string[],
  env?: Record<string, string>,
) => Promise<{ readonly isOk: boolean; readonly out: string; readonly error: string }>;

export interface JumpOptions {
  readonly env: (name: string) => string | undefined;
  readonly run: Run;
}

export interface Jumped {
  readonly isThere: boolean;
  /** What happened, in a sentence. */
  readonly text: string;
}

/** Brings the terminal of an agent to the front, as far as its program can. */
export async function jump(terminal: Terminal | undefined, options: JumpOptions): Promise<Jumped> {
  if (terminal === undefined) {
    return no("Its terminal is not known: neither its harness nor the terminal names it.");
  }
  const { program, target = "" } = terminal;
  if (program in UNABLE) return no(UNABLE[program] ?? "");
  // From a file: never an option, never anything but a number.
  const isPlace = program === "tmux" ? /^%[0-9]{1,9}$/ : /^[0-9]{1,9}$/;
  if (!isPlace.test(target)) return no(`Its place in ${program} is not known.`);
  switch (program) {
    case "tmux":
      return await toTmux(terminal, target, options);
    case "zellij":
      return await toZellij(terminal, target, options);
    case "wezterm":
      return await toWezterm(terminal, target, options);
    case "kitty":
      return await toKitty(terminal, target, options);
    default:
      return no(`${program} has no command that shows a window.`);
  }
}

/** What the others cannot do. */
const UNABLE: Partial<Record<Terminal["program"], string>> = {
  iterm: "It runs in iTerm2, which shows a session only by AppleScript: go to its window yourself.",
  apple: "It runs in Terminal.app, which does not name its windows: go to it yourself.",
  ghostty: "It runs in Ghostty, which has no command that shows a window: go to it yourself.",
  vscode: "It runs in a terminal of VS Code, which no other program can show: go to it yourself.",
};

async function toTmux(
  { server }: Terminal,
  pane: string,
  { run, env }: JumpOptions,
): Promise<Jumped> {
  const here = env("TMUX")?.split(",", 1)[0];
  const socket = isSocket(server) ? ["-S", server] : [];
  const tmux = (...args: string[]) => run("tmux", [...socket, ...args]);
  const selected = await tmux("select-window", "-t", pane, ";", "select-pane", "-t", pane);
  if (!selected.isOk) return failed("tmux", selected.error);
  if (here !== undefined && here !== "" && (server === undefined || server === here)) {
    // This terminal shows the same server: it goes there too, also to another session.
    const switched = await tmux("switch-client", "-t", pane);
    return switched.isOk ? yes("tmux shows it.") : failed("tmux", switched.error);
  }
  const { out } = await tmux("display-message", "-p", "-t", pane, "#{session_attached} #{session_name}");
  const [attached = "", ...name] = out.trim().split(" ");
  if (Number(attached) > 0) return yes(`tmux shows it, in the terminal of session ${name.join(" ")}.`);
  const words = ["tmux", ...socket, "attach", "-t", name.join(" ")].join(" ");
  return no(`It is in tmux, and no terminal shows it. To see it, run: ${words}`);
}

async function toZellij({ server }: Terminal, pane: string, { run }: JumpOptions): Promise<Jumped> {
  const session = server !== undefined && /^[\w.-]+$/.test(server) && !server.startsWith("-")
    ? ["--session", server]
    : [];
  const { isOk, error } = await run("zellij", [...session, "action", "focus-pane-id", `terminal_${pane}`]);
  return isOk ? yes("zellij shows it.") : failed("zellij", error);
}

async function toWezterm({ server }: Terminal, pane: string, { run }: JumpOptions): Promise<Jumped> {
  const socket: Record<string, string> = isSocket(server) ? { WEZTERM_UNIX_SOCKET: server } : {};
  const { isOk, error } = await run("wezterm", ["cli", "activate-pane", "--pane-id", pane], socket);
  return isOk ? yes("WezTerm shows it.") : failed("WezTerm", error);
}

async function toKitty({ server }: Terminal, window: string, { run }: JumpOptions): Promise<Jumped> {
  const to = server !== undefined && /^(?:unix|tcp):[^\s-][^\s]*$/.test(server) ? ["--to", server] : [];
  const { isOk, error } = await run("kitten", ["@", ...to, "focus-window", "--match", `id:${window}`]);
  if (isOk) return yes("kitty shows it.");
  return no(`kitty does not show it: ${error}. It needs allow_remote_control in kitty.conf.`);
}

function isSocket(path: string | undefined): path is string {
  return path !== undefined && path.startsWith("/");
}

function yes(text: string): Jumped {
  return { isThere: true, text };
}

function no(text: string): Jumped {
  return { isThere: false, text };
}

function failed(name: string, error: string): Jumped {
  return no(`${name} does not show it: ${error}.`);
}
