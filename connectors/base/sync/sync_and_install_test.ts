import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { applyPlan, PlanRefused } from "../install/apply/apply.ts";
import type { Target } from "../harness.ts";
import { readLedger } from "../install/ledger/ledger.ts";
import { type Os, realOs } from "../fs/os.ts";
import { planInstall } from "../install/plan/plan_install.ts";
import { planUninstall } from "../install/plan/plan_uninstall.ts";
import { type Scratch, scratch } from "../testing/sync_scratch.ts";
import { ownedBy } from "./owned.ts";
import type { SyncJob } from "./sync_job.ts";
import { planSync } from "./plan_sync.ts";
import { syncOnce } from "./sync_once.ts";

/** A plugin, as a full install writes one beside the identity. */
function plugin(s: Scratch, name = "plugin"): Target {
  const text = `// Signet memory for ${name}, written by signet-test.\n`;
  return { kind: "file", path: `${s.root}/harness/${name}.js`, text, owns: (found) => found === text };
}

async function ledgerOf(job: SyncJob) {
  const reading = await readLedger(realOs, job.stateDir);
  return reading.kind === "ok" ? reading.ledger : undefined;
}

async function install(s: Scratch, job: SyncJob, ...more: Target[]) {
  const { targets } = await planSync(job, ownedBy(await ledgerOf(job)));
  const { harness, stateDir } = job;
  return await applyPlan(
    realOs,
    await planInstall(realOs, { harness, stateDir, targets: [...targets, ...more, plugin(s)] }),
  );
}

async function uninstall({ harness, stateDir }: SyncJob) {
  return await applyPlan(realOs, await planUninstall(realOs, { harness, stateDir, targets: [] }));
}

function names(directory: string): string[] {
  return [...Deno.readDirSync(directory)].map((entry) => entry.name).sort();
}

Deno.test("a sync after an install keeps what the install recorded, and uninstall removes all of it", async () => {
  await using s = await scratch();
  const job = { ...s.job, skillsDir: `${s.root}/harness/skills` };
  await Deno.mkdir(`${s.root}/harness`);
  await s.put("AGENTS.md", "one");
  await s.put("skills/a/SKILL.md", "a");
  await install(s, job);
  await s.put("AGENTS.md", "two");
  await s.put("skills/b/SKILL.md", "b");
  await Deno.remove(`${s.workspace}/skills/a`, { recursive: true });
  assertEquals((await syncOnce(job)).changes.map(({ kind }) => kind), ["write", "link", "unlink"]);
  const ledger = await ledgerOf(job);
  assertEquals(
    ledger?.files.map(({ path }) => path).sort(),
    [s.target, `${s.root}/harness/plugin.js`].sort(),
  );
  assertEquals(ledger?.links.map(({ path }) => path), [`${job.skillsDir}/b`]);
  await uninstall(job);
  assertEquals(names(`${s.root}/harness`), []);
});

Deno.test("uninstall restores the user's text around a synced block, with later edits", async () => {
  await using s = await scratch();
  const job = { ...s.job, identity: { path: s.target, rule: "block" as const } };
  await s.put("AGENTS.md", "one");
  await Deno.mkdir(`${s.root}/harness`);
  await Deno.writeTextFile(s.target, "mine\r\n");
  await install(s, job);
  const edited = (await s.read()).replace("mine\r\n", "mine, and more\r\n");
  await Deno.writeTextFile(s.target, edited);
  await s.put("AGENTS.md", "two");
  await syncOnce(job);
  assertStringIncludes(await s.read(), "two");
  await uninstall(job);
  assertEquals(await s.read(), "mine, and more\r\n");
});

Deno.test("uninstall keeps the copy of a generated file that the user edited", async () => {
  await using s = await scratch();
  await Deno.mkdir(`${s.root}/harness`);
  await s.put("AGENTS.md", "one");
  await install(s, s.job);
  await Deno.writeTextFile(s.target, await s.read() + "my line\n");
  await syncOnce(s.job);
  await uninstall(s.job);
  assertEquals(names(`${s.root}/harness`), ["AGENTS.md.edited"]);
  assertStringIncludes(await Deno.readTextFile(`${s.target}.edited`), "my line");
});

Deno.test("applyPlan() keeps what another process recorded after the plan was made", async () => {
  await using s = await scratch();
  await s.put("AGENTS.md", "one");
  await install(s, s.job);
  const { harness, stateDir } = s.job;
  const partial = (target: Target) =>
    planInstall(realOs, { harness, stateDir, targets: [target], partial: true });
  const [first, second] = [await partial(plugin(s, "first")), await partial(plugin(s, "second"))];
  await applyPlan(realOs, first);
  await applyPlan(realOs, second);
  const recorded = (await ledgerOf(s.job))?.files.map(({ path }) => path.replace(/^.*\//, "")).sort();
  assertEquals(recorded, ["AGENTS.md", "first.js", "plugin.js", "second.js"]);
});

Deno.test("applyPlan() of a sync does not restore what was uninstalled in the meantime", async () => {
  await using s = await scratch();
  await s.put("AGENTS.md", "one");
  await install(s, s.job);
  await s.put("AGENTS.md", "two");
  const { harness, stateDir } = s.job;
  const { targets } = await planSync(s.job, ownedBy(await ledgerOf(s.job)));
  const late = await planInstall(realOs, { harness, stateDir, targets, partial: true });
  await uninstall(s.job);
  await assertRejects(() => applyPlan(realOs, late), PlanRefused, "uninstalled in the meantime");
  assertEquals(names(s.root), ["agents"]);
});

Deno.test("applyPlan() leaves nothing behind on a fresh machine if the first write fails", async () => {
  await using s = await scratch();
  const { harness, stateDir } = s.job;
  const os: Os = { ...realOs, create: () => Promise.reject(new Error("disk full")) };
  const plan = await planInstall(os, { harness, stateDir, targets: [plugin(s)] });
  await assertRejects(() => applyPlan(os, plan), Error, "disk full; nothing was changed");
  assertEquals(names(s.root), ["agents"]);
});

Deno.test("applyPlan() reports that nothing was changed if the lock cannot be created", async () => {
  await using s = await scratch();
  const { harness, stateDir } = s.job;
  const os: Os = { ...realOs, mkdir: () => Promise.reject(new Deno.errors.PermissionDenied("read-only")) };
  const plan = await planInstall(os, { harness, stateDir, targets: [plugin(s)] });
  await assertRejects(() => applyPlan(os, plan), Error, "; nothing was changed");
  assertEquals(names(s.root), ["agents"]);
});
