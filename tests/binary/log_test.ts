import { assertEquals, assertMatch } from "@std/assert";
import { CONNECT, Connected } from "../worlds/connected.ts";
import { Tmux } from "../worlds/tmux.ts";

Deno.test("signet-connect log --follow shows each hook as it fires, and Ctrl-C exits 130", async () => {
  await using place = await Connected.create();
  assertEquals((await place.install(CONNECT, ["pyagent"])).code, 0);
  const { root, home } = place.world;
  await using terminal = await Tmux.start(`${CONNECT} log --follow`, {
    dir: root,
    home,
    path: "/usr/bin:/bin",
  });
  await place.hook("pyagent");
  assertMatch(
    await terminal.sees("session-start"),
    /\d\d:\d\d:\d\d {2}pyagent +session-start +\d+ ms {2}\w+ +\d+ characters$/m,
  );
  await place.hook("pyagent");
  await terminal.press("C-c");
  await terminal.sees("ended with 130");
});
