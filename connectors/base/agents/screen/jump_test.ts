import { assertEquals, assertMatch } from "@std/assert";
import type { Terminal } from "../../../../hooks/agents/sessions/session.ts";
import { findTerminal } from "../../../../hooks/agents/sessions/terminal.ts";
import { jump, type Jumped } from "./jump.ts";

interface Call {
  readonly words: string;
  readonly env: Record<string, string>;
}

/** Jumps, and notes what would be run; `answer` is what each program prints. */
async function jumped(
  terminal: Terminal | undefined,
  { env = {}, answer = "", error }: { env?: Record<string, string>; answer?: string; error?: string } = {},
): Promise<Jumped & { calls: Call[] }> {
  const calls: Call[] = [];
  const result = await jump(terminal, {
    env: (name) => env[name],
    run: (program, args, given = {}) => {
      calls.push({ words: [program, ...args].join(" "), env: given });
      return Promise.resolve({ isOk: error === undefined, out: answer, error: error ?? "" });
    },
  });
  return { ...result, calls };
}

Deno.test("findTerminal() notes the place and the server of each terminal", () => {
  const cases: [env: Record<string, string>, terminal: Terminal | undefined][] = [
    [{ TMUX: "/tmp/tmux-0/default,12,0", TMUX_PANE: "%3" }, {
      program: "tmux",
      target: "%3",
      server: "/tmp/tmux-0/default",
    }],
    [{ ZELLIJ_PANE_ID: "2", ZELLIJ_SESSION_NAME: "work" }, {
      program: "zellij",
      target: "2",
      server: "work",
    }],
    [{ WEZTERM_PANE: "7", WEZTERM_UNIX_SOCKET: "/run/wez" }, {
      program: "wezterm",
      target: "7",
      server: "/run/wez",
    }],
    [{ KITTY_WINDOW_ID: "4" }, { program: "kitty", target: "4", server: undefined }],
    [{ TERM_PROGRAM: "vscode" }, { program: "vscode" }],
    [{}, undefined],
  ];
  for (const [env, terminal] of cases) assertEquals(findTerminal((name) => env[name]), terminal);
});

Deno.test("jump() in tmux selects the pane, and takes the terminal there that shows the same server", async () => {
  const terminal: Terminal = { program: "tmux", target: "%3", server: "/tmp/s" };
  const inside = await jumped(terminal, { env: { TMUX: "/tmp/s,1,0" } });
  assertEquals(inside.calls.map(({ words }) => words), [
    "tmux -S /tmp/s select-window -t %3 ; select-pane -t %3",
    "tmux -S /tmp/s switch-client -t %3",
  ]);
  assertEquals(inside.isThere, true);
  const attached = await jumped(terminal, { answer: "1 my work\n" });
  assertMatch(attached.text, /session my work/);
  assertEquals(attached.isThere, true);
  const detached = await jumped(terminal, { answer: "0 work\n" });
  assertMatch(detached.text, /run: tmux -S \/tmp\/s attach -t work$/);
  assertEquals(detached.isThere, false);
});

Deno.test("jump() uses the commands of zellij, WezTerm and kitty", async () => {
  const zellij = await jumped({ program: "zellij", target: "2", server: "work" });
  assertEquals(zellij.calls[0]?.words, "zellij --session work action focus-pane-id terminal_2");
  const wezterm = await jumped({ program: "wezterm", target: "7", server: "/run/wez" });
  assertEquals(wezterm.calls[0], {
    words: "wezterm cli activate-pane --pane-id 7",
    env: { WEZTERM_UNIX_SOCKET: "/run/wez" },
  });
  const kitty = await jumped({ program: "kitty", target: "4", server: "unix:/tmp/kitty" });
  assertEquals(kitty.calls[0]?.words, "kitten @ --to unix:/tmp/kitty focus-window --match id:4");
});

Deno.test("jump() says what a terminal cannot do", async () => {
  for (const program of ["iterm", "apple", "ghostty", "vscode"] as const) {
    const { isThere, text, calls } = await jumped({ program, target: "w0t0p0" });
    assertEquals([isThere, calls.length], [false, 0]);
    assertMatch(text, /yourself/);
  }
  assertMatch((await jumped(undefined)).text, /not known/);
  const failed = await jumped({ program: "zellij", target: "2" }, { error: "no such action" });
  assertEquals([failed.isThere, failed.text], [false, "zellij does not show it: no such action."]);
});

Deno.test("jump() runs nothing for a place that is no number", async () => {
  for (const target of ["", "3", "%", "%3;kill-server", "-t", "%3 ", "$(id)", "%99999999999999"]) {
    const { calls, isThere } = await jumped({ program: "tmux", target });
    assertEquals([calls.length, isThere], [0, false], target);
  }
  for (const server of ["-Lx", "relative", "", "a b"]) {
    const { calls: [call] } = await jumped({ program: "zellij", target: "1", server });
    assertEquals(call?.words.includes("-Lx") || call?.words.includes("a b"), false, server);
    const tmux = await jumped({ program: "tmux", target: "%1", server });
    assertEquals(tmux.calls[0]?.words.startsWith("tmux select-window"), true, server);
  }
});
