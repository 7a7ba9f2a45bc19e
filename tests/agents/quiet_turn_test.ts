import { assert, assertEquals } from "@std/assert";
import { agentLogPath } from "../../hooks/agents/log_line.ts";
import { Locks } from "../../hooks/agents/locks/locks.ts";
import { noteReceiving } from "../../hooks/agents/messages/receiving.ts";
import { sessionName } from "../../hooks/agents/dir.ts";
import { parseRecord } from "../../hooks/agents/sessions/session_record.ts";
import { exists } from "../../hooks/state/exists.ts";
import { until } from "../../connectors/base/testing/until.ts";
import { FaultyDaemon } from "../worlds/daemon/faulty_daemon.ts";
import { MeshHome, shownIds, TOOL } from "../worlds/agents/mesh_home.ts";

const URL = "http://127.0.0.1:9";

/** What a turn leaves behind, without what depends on the moment. `since` is the time before it. */
function left(mesh: MeshHome, since: number | undefined): unknown {
  const name = sessionName(mesh.id.harness, mesh.id.key);
  const session = parseRecord(Deno.readTextFileSync(`${mesh.dir}/sessions/${name}.json`)) ?? {};
  const log = Deno.readTextFileSync(agentLogPath(mesh.dir)).trim().split("\n")
    .map((line) => JSON.parse(line)).map(({ event, session, harness }) => ({ event, session, harness }));
  return {
    session: { ...session, startedAt: 0, since: 0, caller: undefined, machine: "" },
    hasNewTime: session.since !== since,
    log,
    turnEnds: exists(`${mesh.inbox.dirOf(mesh.id)}/turn_ends`),
  };
}

/** A session's turns, with what its prompts print and leave behind. */
async function turns(kind: "receiving" | "fetching" | "locks of others" | "not quiet"): Promise<unknown[]> {
  await using mesh = await MeshHome.begun(URL);
  // The prompts of a session that may hold locks are not quiet.
  if (kind === "not quiet") {
    const held = `${mesh.dir}/locks/held/${sessionName(mesh.id.harness, mesh.id.key)}`;
    Deno.mkdirSync(held, { recursive: true });
    Deno.writeTextFileSync(`${held}/.tmp`, "");
  }
  if (kind === "locks of others") Deno.mkdirSync(`${mesh.dir}/locks/held/codex-1`, { recursive: true });
  const seen: unknown[] = [];
  const prompt = async (text: string) => {
    // As the session's MCP server does: such a prompt fetches no messages.
    if (kind === "receiving") noteReceiving(mesh.dir, URL, "work");
    const since = mesh.session?.since;
    const { code, stdout, stderr } = await mesh.hook("user-prompt-submit", { prompt: text });
    seen.push([text, code, stdout.replace(/m_[0-9A-Z]{26}|[0-9a-f]{16}/g, "…"), stderr, left(mesh, since)]);
    return stdout;
  };
  await prompt("the first");
  await prompt("while it works");
  await mesh.hook("turn-end");
  assertEquals(mesh.session?.status, "idle");
  await prompt("after a turn");
  mesh.send("go on", { priority: 2 });
  await mesh.hook("turn-end");
  assertEquals(exists(`${mesh.inbox.dirOf(mesh.id)}/turn_ends`), true);
  await mesh.hook("pre-tool", TOOL);
  await prompt("after an interrupted tool");
  assertEquals([mesh.session?.tool, mesh.session?.file], [undefined, undefined]);
  const { id } = mesh.send("look at a.ts");
  assertEquals(shownIds(await prompt("with a message")), [id]);
  await prompt("@nobody hello");
  // A file that another program damaged.
  const path = `${mesh.dir}/sessions/${sessionName(mesh.id.harness, mesh.id.key)}.json`;
  const { machine: _machine, ...rest } = parseRecord(Deno.readTextFileSync(path)) ?? {};
  Deno.writeTextFileSync(path, JSON.stringify(rest));
  await prompt("after some damage");
  assertEquals(mesh.session?.key, mesh.id.key, "it is a session again");
  return seen;
}

Deno.test("a prompt with nothing to show leaves the same behind as any other", async () => {
  const others = await turns("not quiet");
  assertEquals(await turns("receiving"), others);
  assertEquals(await turns("fetching"), others);
  assertEquals(await turns("locks of others"), others);
});

Deno.test("a message that comes while the daemon answers a quiet prompt is shown with it", async () => {
  await using daemon = new FaultyDaemon();
  await using mesh = await MeshHome.begun(daemon.url);
  await mesh.hook("user-prompt-submit", { prompt: "the first" });
  await mesh.hook("turn-end");
  let id = "";
  daemon.answer = async ({ path }) => {
    if (!path.endsWith("/user-prompt-submit")) return {};
    await until("the prompt is noted", () => mesh.session?.status === "working");
    ({ id } = mesh.send("just now"));
    return { inject: "", sessionKnown: true };
  };
  noteReceiving(mesh.dir, daemon.url, "work");
  const { stdout } = await mesh.hook("user-prompt-submit", { prompt: "go on" });
  assertEquals(shownIds(stdout), [id]);
});

Deno.test("a prompt renews the locks of its session, and only these", async () => {
  await using mesh = await MeshHome.begun(URL);
  await mesh.hook("user-prompt-submit", { prompt: "the first" });
  const locks = new Locks(mesh.dir);
  const { harness, key: session } = mesh.id;
  const take = async (path: string, owner: { harness: string; session: string }) => {
    const taken = await locks.take(path, "/", { owner: { agentId: "work", machine: "m", ...owner } });
    assert(taken.kind === "taken", taken.kind);
    const sixMinutesAgo = Date.now() / 1000 - 360;
    Deno.utimeSync(taken.lock.file, sixMinutesAgo, sixMinutesAgo);
    return () => Date.now() - (Deno.statSync(taken.lock.file).mtime?.getTime() ?? 0);
  };
  const own = await take("/home/u/app/a.ts", { harness, session });
  const other = await take("/home/u/app/b.ts", { harness: "codex", session: "another" });
  await mesh.hook("user-prompt-submit", { prompt: "go on" });
  assert(own() < 300_000, "renewed");
  assert(other() >= 360_000, "not renewed");
});
