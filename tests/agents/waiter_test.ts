import { assertEquals } from "@std/assert";
import { silentSince } from "../../hooks/agents/wake/woken.ts";
import { until } from "../../connectors/base/testing/until.ts";
import { ended, MeshHome, shownIds, TOOL } from "../worlds/agents/mesh_home.ts";
import { exists } from "../worlds/exists.ts";

const ATTENDED = { env: { SAMPLE_ATTENDED: "1" } };

Deno.test("a waiter wakes an idle session with a message, and not a working one", async () => {
  await using mesh = await MeshHome.begun();
  await mesh.hook("user-prompt-submit", { prompt: "go" });
  const waiter = await mesh.start("wait-for-messages", {}, ATTENDED);
  await until("the waiter registered", () => exists(`${mesh.inbox.dirOf(mesh.id)}/waiter`));
  mesh.send("a note", { priority: 1 });
  await mesh.hook("turn-end");
  const { id } = mesh.send("wake up");
  const { code, stdout, stderr } = await ended(waiter);
  assertEquals([code, stdout], [2, ""]);
  assertEquals(shownIds(stderr), [id]);
  assertEquals(mesh.session?.status, "working");
});

Deno.test("a session that a waiter woke for an urgent message is silent until its next hook", async () => {
  await using mesh = await MeshHome.begun();
  await mesh.hook("user-prompt-submit", { prompt: "go" });
  await mesh.hook("turn-end");
  mesh.send("wake up", { priority: 4 });
  assertEquals((await mesh.hook("wait-for-messages", {}, ATTENDED)).code, 2);
  const isSilent = () => mesh.session !== undefined && silentSince(mesh.dir, mesh.session) !== undefined;
  assertEquals(isSilent(), true);
  await mesh.hook("pre-tool", TOOL);
  assertEquals(isSilent(), false);
});

Deno.test("a waiter leaves at once where nobody attends, and when another takes over or the session ends", async () => {
  await using mesh = await MeshHome.begun();
  mesh.send("too early");
  assertEquals(await mesh.hook("wait-for-messages"), { code: 0, stdout: "", stderr: "" });
  await mesh.hook("user-prompt-submit", { prompt: "go" });
  const path = `${mesh.inbox.dirOf(mesh.id)}/waiter`;
  const first = await mesh.start("wait-for-messages", {}, ATTENDED);
  await until("the first waiter registered", () => exists(path));
  const before = await Deno.readTextFile(path);
  const second = await mesh.start("wait-for-messages", {}, ATTENDED);
  await until("the second waiter registered", async () => await Deno.readTextFile(path) !== before);
  assertEquals((await ended(first)).code, 0);
  await mesh.hook("session-end", { reason: "other" });
  assertEquals((await ended(second)).code, 0);
});
