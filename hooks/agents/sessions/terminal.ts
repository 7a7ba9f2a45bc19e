import type { Terminal } from "./session.ts";

/** The terminal that the environment of a hook names, so that `agents --watch` can jump to it. */
export function findTerminal(env: (name: string) => string | undefined): Terminal | undefined {
  const panes = [
    ["tmux", env("TMUX_PANE"), env("TMUX")?.split(",", 1)[0]],
    ["zellij", env("ZELLIJ_PANE_ID"), env("ZELLIJ_SESSION_NAME")],
    ["wezterm", env("WEZTERM_PANE"), env("WEZTERM_UNIX_SOCKET")],
    ["kitty", env("KITTY_WINDOW_ID"), env("KITTY_LISTEN_ON")],
    ["iterm", env("ITERM_SESSION_ID")],
  ] as const;
  for (const [program, target, server] of panes) {
    if (target) return { program, target, server: server || undefined };
  }
  switch (env("TERM_PROGRAM")) {
    case "Apple_Terminal":
      return { program: "apple" };
    case "ghostty":
      return { program: "ghostty" };
    case "vscode":
      return { program: "vscode" };
  }
  return undefined;
}

/** The terminal device of a process, where a bell can be rung for its user. Linux alone shows it in a link. */
export function ttyOf(pid: number): string | undefined {
  for (const fd of [0, 1, 2]) {
    try {
      const path = Deno.readLinkSync(`/proc/${pid}/fd/${fd}`);
      if (TTY.test(path)) return path;
    } catch {
      return undefined;
    }
  }
  return undefined;
}

/** A pseudo-terminal or a console. */
export const TTY = /^\/dev\/(?:pts\/[0-9]+|tty[0-9A-Za-z]+)$/;
