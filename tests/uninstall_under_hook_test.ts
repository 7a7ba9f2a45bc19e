import { assertEquals } from "@std/assert";
import { isRunning } from "../connectors/base/testing/is_running.ts";
import { until } from "../connectors/base/testing/until.ts";
import { FaultyDaemon } from "./worlds/daemon/faulty_daemon.ts";
import { exists } from "./worlds/exists.ts";
import { SampleHome } from "./worlds/hooks/sample_home.ts";

const EVENTS = [
  "session-start",
  "user-prompt-submit",
  "pre-compaction",
  "compaction-complete",
  "checkpoint",
  "session-end",
];

/** Other processes may write to it at the same time. */
function removeTree(path: string): void {
  for (let tries = 0; exists(path); tries++) {
    try {
      Deno.removeSync(path, { recursive: true });
    } catch (error) {
      if (tries > 1000) throw error;
    }
  }
}

for (const event of EVENTS) {
  Deno.test(`${event}: a hook that outlives an uninstall does not create its directory again`, async () => {
    await using daemon = new FaultyDaemon();
    await using home = await SampleHome.make(daemon.url);
    await Deno.mkdir(home.state, { recursive: true });
    let removed = 0;
    daemon.respond = () => {
      removeTree(`${home.path}/.local`);
      removed++;
      daemon.respond = () => "ok";
      return "ok";
    };
    const stdin = {
      session_id: "s",
      prompt: "hi",
      summary: "said",
      transcript: "User: hi",
      cwd: "/home/u/p",
    };
    assertEquals((await home.hook(event, { stdin })).code, 0);
    await until("the daemon was called", () => removed === 1);
    await until("no drain runs", () => !home.drains().some(isRunning));
    assertEquals(exists(`${home.path}/.local`), false);
  });
}
