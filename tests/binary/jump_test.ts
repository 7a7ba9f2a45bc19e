import { assertEquals, assertMatch } from "@std/assert";
import { HANG_MS } from "../../connectors/base/testing/until.ts";
import { serve } from "../../mock_daemon/mod.ts";
import { run } from "../../scripts/build/run.ts";
import { CONNECT } from "../worlds/connected.ts";
import { Tmux } from "../worlds/tmux.ts";
import { World } from "../worlds/world.ts";

const PATH = "/usr/local/bin:/usr/bin:/bin";

/** The tmux of a person, in which an agent and the monitor run; it is shown by another tmux. */
class InnerTmux implements AsyncDisposable {
  constructor(readonly socket: string) {}

  async tell(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await run("tmux", ["-S", this.socket, "-f", "/dev/null", ...args], {
      env: { PATH, LANG: "C.UTF-8" },
      clearEnv: true,
      timeoutMs: HANG_MS,
    });
    assertEquals([code, stderr], [0, ""]);
    return stdout.trim();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // It may not have begun.
    await run("tmux", ["-S", this.socket, "kill-server"], { timeoutMs: HANG_MS });
  }
}

Deno.test({
  name: "monitor goes to the terminal of an agent: another session, window and pane of tmux",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const daemon = serve();
    try {
      await using world = await World.create();
      const { root, home } = world;
      const flags = ["--agents", "--yes", "--url", daemon.url, "--agent-id", "work"];
      const installed = await world.run(CONNECT, ["install", "claude-code", ...flags]);
      assertEquals(installed.code, 0, installed.err);
      // The agent's own hook notes where it runs.
      const input = JSON.stringify({ session_id: "aaaa1111", cwd: "/home/u/app", source: "startup" });
      await world.write("input.json", input);
      const agent = `"${CONNECT}" hook session-start -H claude-code < "${home}/input.json" > /dev/null
echo THE WINDOW OF THE AGENT
exec sleep 600
`;
      await world.write("agent.sh", agent);
      const socket = `${root}/inner`;
      await using inner = new InnerTmux(socket);
      const tmux = `TMUX= tmux -S "${socket}" -f /dev/null`;
      const command = [
        `${tmux} new-session -d -s agent 'sh "${home}/agent.sh"'`,
        // Another pane and another window are the current ones.
        `${tmux} split-window -t agent 'echo ANOTHER PANE; exec sleep 600'`,
        `${tmux} new-window -t agent 'echo ANOTHER WINDOW; exec sleep 600'`,
        `${tmux} new-session -s person '"${CONNECT}" monitor; exec sleep 600'`,
      ].join(" && ");
      await using terminal = await Tmux.start(command, {
        dir: root,
        home,
        path: PATH,
        columns: 100,
        rows: 30,
      });
      // The daemon may know the session a moment earlier than its note is on the board.
      await terminal.shows(/^> claude-aaaa +starting /m);
      const pane = (await inner.tell(
        "list-panes",
        "-s",
        "-t",
        "agent",
        "-F",
        "#{window_index}.#{pane_index} #{pane_id}",
      ))
        .split("\n")[0]?.split(" ")[1];
      assertMatch(pane ?? "", /^%\d+$/);
      await terminal.press("g");
      await terminal.shows(/THE WINDOW OF THE AGENT/);
      assertEquals(await inner.tell("display-message", "-p", "-t", "agent:", "#{pane_id}"), pane);
      assertEquals(await inner.tell("list-clients", "-F", "#{client_session}"), "agent");
    } finally {
      await daemon.shutdown();
    }
  },
});
