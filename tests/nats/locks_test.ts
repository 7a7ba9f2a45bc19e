import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { checkTool } from "../../hooks/agents/locks/check_tool.ts";
import type { Lock } from "../../hooks/agents/locks/lock.ts";
import { Locks } from "../../hooks/agents/locks/locks.ts";
import { sharedPath } from "../../hooks/agents/locks/targets/shared_path.ts";
import { freeLocks as sessionEnds } from "../../hooks/agents/locks/session_locks.ts";
import { ownerOf } from "../../hooks/agents/locks/tool_call.ts";
import type { ListedSession } from "../../hooks/agents/sessions/session.ts";
import { NatsLeases } from "../../connectors/base/agents/nats/nats_leases.ts";
import { NatsTransport } from "../../connectors/base/agents/nats/nats_transport.ts";
import { until } from "../../connectors/base/testing/until.ts";
import type { AgentMachine } from "../worlds/agents/agent_machine.ts";
import { receive } from "../worlds/agents/delivery.ts";
import { NatsServer } from "../worlds/nats/nats_server.ts";
import { meetAtNats, prepare, settingsOf } from "../worlds/nats/nats_world.ts";

const REPO = "example.com/team/app";
const TOOLS = { Edit: { paths: ["file_path"] } };

function lock(path: string, session: string, scope: Lock["scope"] = "file", leaseMs = 600_000): Lock {
  const repo = { remote: REPO, path };
  return {
    v: 1,
    path: sharedPath(repo),
    scope,
    kind: "manual",
    intent: "",
    taken: Date.now(),
    leaseMs,
    token: crypto.randomUUID(),
    agentId: "alice",
    harness: "codex",
    session,
    machine: "m",
    repo,
    reach: "exact",
  };
}

/** A machine at the server, with one connection for everything. */
async function machine(nats: NatsServer): Promise<{ leases: NatsLeases } & AsyncDisposable> {
  const dir = await Deno.makeTempDir({ prefix: "signet-" });
  const settings = settingsOf(nats.url, "alice");
  const transport = new NatsTransport({ settings, agentId: "alice", machine: dir, dir, sessions: () => [] });
  const stop = new AbortController();
  const connected = Promise.withResolvers<void>();
  const running = transport.subscribe({
    onMessage: () => true,
    onConnect: () => Promise.resolve(connected.resolve()),
  }, stop.signal);
  await connected.promise;
  return {
    leases: new NatsLeases(transport),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
      await Deno.remove(dir, { recursive: true });
    },
  };
}

Deno.test("1,000 simultaneous takes of shared locks have one winner for each lock", async () => {
  await using nats = await NatsServer.start();
  await prepare(nats.url);
  await using stack = new AsyncDisposableStack();
  const machines = await Promise.all(Array.from({ length: 20 }, async () => stack.use(await machine(nats))));
  for (let round = 0; round < 4; round++) {
    const path = `src/${round}.ts`;
    const takes = Array.from({ length: 250 }, (_, i) => lock(path, `s${i}`));
    const answers = await Promise.all(
      takes.map((take, i) => machines[i % machines.length]?.leases.take(take)),
    );
    const winners = takes.filter((_, i) => answers[i]?.kind === "taken");
    assertEquals(winners.length, 1, path);
    const holders = new Set(
      answers.map((answer) => answer?.kind === "held" ? answer.lock.session : undefined),
    );
    holders.delete(undefined);
    assertEquals([...holders], [winners[0]?.session], "everybody learns who has it");
  }
});

Deno.test("of a directory and files in it, taken at the same moment, either the one or the others are taken", async () => {
  await using nats = await NatsServer.start();
  await prepare(nats.url);
  await using stack = new AsyncDisposableStack();
  const machines = await Promise.all(Array.from({ length: 4 }, async () => stack.use(await machine(nats))));
  for (let round = 0; round < 20; round++) {
    const takes = [
      lock(`d${round}`, "tree", "tree"),
      ...["a", "b", "c"].map((name) => lock(`d${round}/${name}`, name)),
    ];
    // In another order each time.
    const rotated = [...takes.slice(round % 4), ...takes.slice(0, round % 4)];
    const answers = await Promise.all(rotated.map((take, i) => machines[i]?.leases.take(take)));
    const taken = rotated.filter((_, i) => answers[i]?.kind === "taken").map(({ session }) => session).sort();
    const isRight = taken.join() === "tree" || taken.join() === "a,b,c";
    assertEquals(isRight, true, taken.join());
  }
});

Deno.test("a lease that has ended is taken over, and its owner cannot renew it", async () => {
  await using nats = await NatsServer.start();
  await prepare(nats.url);
  await using here = await machine(nats);
  const { leases } = here;
  const first = lock("a.ts", "first", "file", 50);
  const second = lock("a.ts", "second");
  assertEquals((await leases.take(first)).kind, "taken");
  await until("the lease has ended", async () => (await leases.take(second)).kind === "taken");
  assertEquals(await leases.renew(first), false);
  await leases.free(first);
  assertEquals((await leases.take(lock("a.ts", "third"))).kind, "held", "a late free removes nothing");
  assertEquals(await leases.renew(second), true);
  await leases.free(second);
  assertEquals((await leases.take(first)).kind, "taken");
});

/** Two machines, each with a clone of one repository. */
async function clones() {
  const world = await meetAtNats();
  const apps: string[] = [];
  for (const each of [world.laptop, world.server]) {
    const app = `${await Deno.realPath(each.path)}/app`;
    await Deno.mkdir(`${app}/.git`, { recursive: true });
    await Deno.writeTextFile(
      `${app}/.git/config`,
      '[remote "origin"]\n\turl = https://example.com/team/app\n',
    );
    await Deno.writeTextFile(`${app}/a.ts`, "a");
    apps.push(`${app}/a.ts`);
  }
  const [mine = "", theirs = ""] = apps;
  return { world, mine, theirs };
}

function edit(machine: AgentMachine, session: ListedSession, path: string) {
  const call = { tool: "Edit", input: { file_path: path }, cwd: "/" };
  return checkTool(new Locks(machine.dir), "on", TOOLS, call, ownerOf(session));
}

Deno.test("lock --shared is exact: the other machine is refused, and its hooks know it from the cache", async () => {
  const { world, mine, theirs } = await clones();
  await using _world = world;
  const { laptop, server, claude, codex } = world;
  const taken = await laptop.run("lock", mine, "--shared", "--as", "claude", "--intent", "migration");
  assertEquals([taken.code, taken.err], [0, ""]);
  const refused = await server.run("lock", theirs, "--shared", "--as", "codex");
  assertEquals(refused.code, 1);
  assertMatch(refused.err, /is locked by claude-\S+ \(agent alice\): "migration"/);
  const denied = await edit(server, codex, theirs);
  assertStringIncludes(denied.kind === "denied" ? denied.reason : "", '"migration"');
  assertEquals((await edit(laptop, claude, mine)).kind, "allowed");
  const { data } = await server.json("locks");
  const [shown] = Array.isArray(data.locks) ? data.locks : [];
  assertEquals(shown?.level, "exact");

  // The session ends: its hook leaves a note, and the next process frees the lease.
  await sessionEnds(laptop.dir, claude, "session");
  await laptop.run("inbox", "--as", "person");
  await until(
    "it is free",
    async () => (await server.run("lock", theirs, "--shared", "--as", "codex")).code === 0,
  );
});

Deno.test("lock --shared --wait gets the lock when the other machine frees it", async () => {
  const { world, mine, theirs } = await clones();
  await using _world = world;
  const { laptop, server } = world;
  assertEquals((await laptop.run("lock", mine, "--shared", "--as", "claude")).code, 0);
  const waiting = server.run("lock", theirs, "--shared", "--wait=600", "--as", "codex");
  assertEquals((await laptop.run("unlock", mine, "--as", "claude")).code, 0);
  assertEquals((await waiting).code, 0);
});

Deno.test("an owner whose lease was taken over learns it before its next edit", async () => {
  const { world, mine } = await clones();
  await using _world = world;
  const { laptop, claude, nats } = world;
  assertEquals((await laptop.run("lock", mine, "--shared", "--as", "claude")).code, 0);
  // The machine was away for so long that the lease ended and another machine has it.
  await using other = await machine(nats);
  const [held] = new Locks(laptop.dir).shared.dir.list();
  if (held === undefined) throw new Error("no shared lock");
  await other.leases.free(held);
  assertEquals((await other.leases.take(lock("a.ts", "another session"))).kind, "taken");
  assertEquals((await edit(laptop, claude, mine)).kind, "allowed", "nobody has told it yet");
  await using _alice = receive(laptop, "claude-code");
  const denied = await until("it is refused", async () => {
    const verdict = await edit(laptop, claude, mine);
    return verdict.kind === "denied" && verdict;
  });
  assertMatch(denied.reason, /a\.ts/);
  assertEquals(new Locks(laptop.dir).shared.dir.list(), []);
});

Deno.test("lock --shared says that the server is away, and locks nothing", async () => {
  const { world, mine } = await clones();
  await using _world = world;
  const { laptop, nats } = world;
  await nats.stop();
  const result = await laptop.run("lock", mine, "--shared", "--as", "claude");
  assertEquals(result.code, 1);
  assertMatch(result.err, /A shared lock needs the server that keeps them\..*Nothing was locked\./);
  assertEquals(new Locks(laptop.dir).dir.list(), []);
  assertEquals((await laptop.run("lock", mine, "--as", "claude")).code, 0, "on one machine");
});
