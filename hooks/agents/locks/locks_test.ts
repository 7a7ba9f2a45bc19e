import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { callerOf } from "../../state/caller.ts";
import { HOST } from "../../state/paths.ts";
import { AUTO_LEASE_MS, LEASE_MS, type LockOwner } from "./lock.ts";
import { LockTrouble } from "./lock_dir.ts";
import { readLines } from "./lock_log.ts";
import { Locks } from "./locks.ts";
import { targetPath } from "./targets/target_path.ts";

const ANN: LockOwner = { agentId: "ann", harness: "claude-code", session: "s-ann", machine: "here" };
const BOB: LockOwner = { agentId: "bob", harness: "codex", session: "s-bob", machine: "here" };

/** A project, an empty state directory and a clock. */
async function scratch() {
  const root = await Deno.realPath(await Deno.makeTempDir());
  const cwd = `${root}/app`;
  await Deno.mkdir(`${cwd}/src/deep`, { recursive: true });
  await Deno.writeTextFile(`${cwd}/src/a.ts`, "a");
  await Deno.mkdir(`${root}/agents`);
  const clock = { now: 1_800_000_000_000 };
  const locks = new Locks(`${root}/agents`, () => clock.now);
  const holder = (path: string, self: LockOwner) => locks.dir.holder(targetPath(path, cwd), self)?.session;
  const events = () => readLines(locks.logPath).map(({ event }) => event);
  return { root, cwd, clock, locks, holder, events };
}

Deno.test("Locks.take() gives a path to one session, and says who has it", async () => {
  const { cwd, locks, holder, events } = await scratch();
  assertEquals(holder("src/a.ts", BOB), undefined);
  const taken = await locks.take("src/a.ts", cwd, { owner: ANN, intent: "rename fields" });
  assertEquals([taken.kind, taken.lock.path, taken.lock.intent], [
    "taken",
    `${cwd}/src/a.ts`,
    "rename fields",
  ]);
  assertEquals((await locks.take("src/a.ts", cwd, { owner: ANN })).kind, "renewed");
  const refused = await locks.take("./src/../src/a.ts", cwd, { owner: BOB });
  assertEquals([refused.kind, refused.lock.session], ["held", "s-ann"]);
  assertEquals(holder("src/a.ts", BOB), "s-ann");
  assertEquals(holder("src/a.ts", ANN), undefined, "the owner may edit");
  assertEquals(holder("src/b.ts", BOB), undefined, "other files are free");
  assertEquals((await locks.free(ANN, { path: "src/a.ts", cwd })).length, 1);
  assertEquals((await locks.take("src/a.ts", cwd, { owner: BOB })).kind, "taken");
  assertEquals(await locks.free(ANN), [], "nothing of hers is left");
  assertEquals(events(), ["taken", "refused", "freed", "taken"]);
});

Deno.test("LockDir.holder() tells names apart that differ in case, unless the volume ignores case", async () => {
  const { cwd, locks } = await scratch();
  await locks.take("src/a.ts", cwd, { owner: ANN });
  const { paths } = targetPath("src/A.ts", cwd);
  const holder = (foldsCase: boolean) => locks.dir.holder({ paths, foldsCase }, BOB)?.session;
  // The scratch directory has capital letters, and such a volume would fold them too.
  const folded = targetPath("src/a.ts", cwd).paths.map((path) => path.toLowerCase());
  await locks.take(folded[0] ?? "", cwd, { owner: ANN });
  assertEquals([holder(false), holder(true)], [undefined, "s-ann"]);
});

Deno.test("Locks.take() covers links, new files and directories that were renamed", async () => {
  const { cwd, locks, holder } = await scratch();
  await Deno.symlink(`${cwd}/src`, `${cwd}/linked`);
  await Deno.symlink("a.ts", `${cwd}/src/alias.ts`);
  await locks.take("linked/alias.ts", cwd, { owner: ANN });
  assertEquals(holder("src/a.ts", BOB), "s-ann");
  await locks.take("src/new/dir/x.ts", cwd, { owner: ANN });
  assertEquals(holder("linked/new/dir/x.ts", BOB), "s-ann", "before it exists");
  await Deno.mkdir(`${cwd}/src/new/dir`, { recursive: true });
  await Deno.writeTextFile(`${cwd}/src/new/dir/x.ts`, "x");
  assertEquals(holder("src/new/dir/x.ts", BOB), "s-ann", "once it exists");
  // The lock is on the name: another file of that name is protected too, the moved one is not.
  await Deno.rename(`${cwd}/src/new`, `${cwd}/src/moved`);
  assertEquals(holder("src/moved/dir/x.ts", BOB), undefined);
  assertEquals(holder("src/new/dir/x.ts", BOB), "s-ann");
  assertEquals(locks.dir.within(`${cwd}/src`, BOB).length, 2, "a move of the directory finds both");
  assertEquals(locks.dir.within(`${cwd}/src`, ANN).length, 0);
});

Deno.test("Locks.take() of a tree covers what is below it, and waits for what is held there", async () => {
  const { cwd, locks, holder } = await scratch();
  assertEquals((await locks.take("src", cwd, { owner: ANN, scope: "tree" })).kind, "taken");
  for (const path of ["src", "src/a.ts", "src/deep/new.ts"]) assertEquals(holder(path, BOB), "s-ann", path);
  assertEquals(holder("srcs", BOB), undefined);
  assertEquals((await locks.take("src/deep/x", cwd, { owner: BOB })).kind, "held");
  assertEquals((await locks.take(".", cwd, { owner: BOB, scope: "tree" })).kind, "held", "one inside");
  assertEquals((await locks.take("src/a.ts", cwd, { owner: ANN })).kind, "taken", "inside one's own");
  await locks.free(ANN);
  assertEquals((await locks.take("src/a.ts", cwd, { owner: BOB })).kind, "taken");
  assertEquals((await locks.take("src", cwd, { owner: ANN, scope: "tree" })).kind, "held");
});

Deno.test("a lease ends, is renewed past its half, and its loss is noticed", async () => {
  const { cwd, clock, locks, holder, events } = await scratch();
  await locks.take("src/a.ts", cwd, { owner: ANN });
  clock.now += LEASE_MS * 0.4;
  assertEquals(locks.renew(ANN), []);
  clock.now += LEASE_MS * 0.2;
  assertEquals(locks.renew(ANN), []);
  clock.now += LEASE_MS * 0.9;
  assertEquals(holder("src/a.ts", BOB), "s-ann", "it was renewed once");
  assertEquals(events(), ["taken", "renewed"]);
  clock.now += LEASE_MS * 0.2;
  assertEquals(holder("src/a.ts", BOB), undefined);
  assertEquals(locks.heldBy(ANN), []);
  // Nobody wanted it: the owner still gets it back.
  assertEquals(locks.renew(ANN), []);
  assertEquals(holder("src/a.ts", BOB), "s-ann");
  clock.now += LEASE_MS * 1.1;
  assertEquals((await locks.take("src/a.ts", cwd, { owner: BOB })).kind, "taken");
  const [lost] = locks.renew(ANN);
  assertEquals(lost?.path, `${cwd}/src/a.ts`, "she learns that it is lost");
  if (lost !== undefined) locks.forget(lost);
  assertEquals(locks.renew(ANN), [], "once");
  assertEquals(holder("src/a.ts", ANN), "s-bob");
  assertEquals(await locks.free(ANN), [], "she cannot free his lock");
  assertEquals(events().slice(-2), ["expired", "taken"]);
});

Deno.test("a clock that was set back an hour does not keep a lock for longer than its lease", async () => {
  const { cwd, clock, locks, holder } = await scratch();
  await locks.take("src/a.ts", cwd, { owner: ANN });
  clock.now -= 3600_000;
  assertEquals(holder("src/a.ts", BOB), "s-ann");
  clock.now += LEASE_MS - 1;
  assertEquals(holder("src/a.ts", BOB), "s-ann");
  clock.now += 2;
  assertEquals(holder("src/a.ts", BOB), undefined);
  assertEquals((await locks.take("src/a.ts", cwd, { owner: BOB })).kind, "taken");
});

Deno.test("a lock file that is garbage is held by somebody unknown for ten minutes", async () => {
  for (
    const garbage of [
      "",
      "{",
      "[]",
      '{"v":2}',
      '{"v":1,"path":"","token":"x"}',
      "\0\xff",
      "x".repeat(100_000),
    ]
  ) {
    const { cwd, clock, locks, holder } = await scratch();
    const { lock } = await locks.take("src/a.ts", cwd, { owner: ANN });
    await Deno.writeTextFile(lock.file, garbage);
    locks.dir.stamp(lock.file);
    assertEquals(holder("src/a.ts", BOB), "unknown");
    assertEquals(holder("src/a.ts", ANN), "unknown", "not even its owner is known");
    assertEquals((await locks.take("src/a.ts", cwd, { owner: BOB })).kind, "held");
    clock.now += LEASE_MS + 1;
    assertEquals(holder("src/a.ts", BOB), undefined);
    assertEquals((await locks.take("src/a.ts", cwd, { owner: BOB })).kind, "taken");
  }
});

Deno.test("a directory or a link in the place of a lock file is a lock, too", async () => {
  const { cwd, clock, locks, holder } = await scratch();
  const { lock } = await locks.take("src/a.ts", cwd, { owner: ANN });
  await Deno.remove(lock.file);
  await Deno.symlink("/dev/zero", lock.file);
  // The date of a link cannot be set to the test's clock.
  clock.now = Date.now();
  assertEquals(holder("src/a.ts", BOB), "unknown");
});

Deno.test("an automatic lock becomes a manual one without being free in between", async () => {
  const { cwd, locks } = await scratch();
  const auto = await locks.take("src/a.ts", cwd, { owner: ANN, kind: "auto", leaseMs: AUTO_LEASE_MS });
  const manual = await locks.take("src/a.ts", cwd, { owner: ANN, intent: "mine" });
  assertEquals([manual.kind, manual.lock.kind, manual.lock.leaseMs], ["renewed", "manual", LEASE_MS]);
  assertEquals(manual.lock.taken, auto.lock.taken);
  // The next edit does not turn it back, and the end of a turn frees only automatic ones.
  await locks.take("src/a.ts", cwd, { owner: ANN, kind: "auto", leaseMs: AUTO_LEASE_MS });
  await locks.take("src/b.ts", cwd, { owner: ANN, kind: "auto", leaseMs: AUTO_LEASE_MS });
  assertEquals((await locks.free(ANN, { kind: "auto" })).map(({ path }) => path), [`${cwd}/src/b.ts`]);
  assertEquals(locks.heldBy(ANN).map(({ path, kind }) => [path, kind]), [[`${cwd}/src/a.ts`, "manual"]]);
});

Deno.test("Locks.force() frees another session's lock and records who did it", async () => {
  const { cwd, locks, holder } = await scratch();
  await locks.take("src/a.ts", cwd, { owner: ANN });
  assertEquals((await locks.force("src/a.ts", cwd, BOB)).map(({ session }) => session), ["s-ann"]);
  assertEquals(holder("src/a.ts", BOB), undefined);
  const last = readLines(locks.logPath).at(-1);
  assertEquals([last?.event, last?.owner, last?.by], ["forced", "claude-code s-ann", "codex s-bob"]);
  assertEquals(locks.renew(ANN).length, 1, "the owner learns it");
});

Deno.test("Locks.takeWithin() waits until a lock is free", async () => {
  const { cwd, locks } = await scratch();
  await locks.take("src/a.ts", cwd, { owner: ANN });
  assertEquals((await locks.takeWithin("src/a.ts", cwd, { owner: BOB }, 0)).kind, "held");
  const waiting = locks.takeWithin("src/a.ts", cwd, { owner: BOB }, 60_000);
  await locks.free(ANN);
  assertEquals((await waiting).kind, "taken");
});

Deno.test("a lock directory that cannot be used is an error, a missing one is not", async () => {
  const { root, cwd, locks, holder } = await scratch();
  assertEquals(locks.dir.list(), []);
  assertEquals(locks.renew(ANN), []);
  assertEquals(await locks.free(ANN), []);
  await Deno.writeTextFile(`${root}/agents/locks`, "not a directory");
  const error = await assertRejects(() => locks.take("src/a.ts", cwd, { owner: ANN }), LockTrouble);
  assertStringIncludes(error.message, "is not a directory");
  await assertRejects(async () => await Promise.resolve(holder("src/a.ts", ANN)), LockTrouble);
  await Deno.remove(`${root}/agents/locks`);
  await Deno.symlink(cwd, `${root}/agents/locks`);
  await assertRejects(() => locks.take("src/a.ts", cwd, { owner: ANN }), LockTrouble);
});

Deno.test("a lock is free when its owner's process is gone", async () => {
  if (HOST.os !== "linux") return;
  const { cwd, locks, holder, events } = await scratch();
  const child = new Deno.Command("sleep", { args: ["600"] }).spawn();
  const owner = { ...ANN, caller: callerOf(child.pid) };
  // The shell that starts it may still be there in its place.
  assertEquals(owner.caller === undefined, false);
  await locks.take("src/a.ts", cwd, { owner });
  assertEquals((await locks.take("src/a.ts", cwd, { owner: BOB })).kind, "held");
  child.kill("SIGKILL");
  await child.status;
  assertEquals(holder("src/a.ts", BOB), undefined);
  assertEquals((await locks.take("src/a.ts", cwd, { owner: BOB })).kind, "taken");
  assertEquals(events().slice(-2), ["broken", "taken"]);
});

Deno.test("a check finds its lock among a thousand", async () => {
  const { cwd, locks, holder } = await scratch();
  for (let i = 0; i < 1000; i++) await locks.take(`src/f${i}.ts`, cwd, { owner: i % 2 ? ANN : BOB });
  for (const [i, expected] of [[1, "s-ann"], [500, undefined], [999, "s-ann"], [1000, undefined]] as const) {
    assertEquals(holder(`src/f${i}.ts`, BOB), expected);
  }
  assertEquals(locks.dir.list().length, 1000);
  assertEquals(locks.heldBy(ANN).length, 500);
  assertEquals((await locks.free(ANN)).length, 500);
  assertEquals(locks.dir.list().length, 500);
});
