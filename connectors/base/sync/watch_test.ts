import { assert, assertEquals, assertLessOrEqual, assertMatch } from "@std/assert";
import { HANG_MS } from "../testing/until.ts";
import { type Scratch, scratch } from "../testing/sync_scratch.ts";
import { type Os, realOs } from "../fs/os.ts";
import type { SyncJob } from "./sync_job.ts";
import type { SyncReport } from "./sync_once.ts";
import { watch, type WatchOptions } from "./watch.ts";

/** A running watch, and a way to wait for what it does. */
class Watching implements AsyncDisposable {
  readonly reports: SyncReport[][] = [];
  readonly troubles: string[] = [];
  readonly #stop = new AbortController();
  readonly #done: Promise<void>;
  #check: () => void = () => {};

  constructor(options: Pick<WatchOptions, "jobs"> & Partial<WatchOptions>) {
    this.#done = watch({
      // Never within a test: what is seen is seen by an event.
      checkMs: 3_600_000,
      ...options,
      signal: this.#stop.signal,
      onSync: (reports) => {
        this.reports.push([...reports]);
        this.#check();
      },
      onTrouble: (sentence) => this.troubles.push(sentence),
    });
  }

  /** Waits for a sync after which `holds`. */
  async until(holds: () => boolean, what: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(
      () => reject(new Error(`Waited in vain for ${what}; ${this.troubles.join()}`)),
      HANG_MS,
    );
    this.#check = () => holds() && this.reports.length > 0 && resolve();
    this.#check();
    await promise.finally(() => clearTimeout(timer));
  }

  async [Symbol.asyncDispose]() {
    this.#stop.abort();
    await this.#done;
  }
}

function start(s: Scratch, job: SyncJob = s.job, options: Partial<WatchOptions> = {}): Watching {
  return new Watching({ jobs: () => Promise.resolve([job]), ...options });
}

function has(path: string, text: string): () => boolean {
  return () => {
    try {
      return Deno.readTextFileSync(path).includes(text);
    } catch {
      return false;
    }
  };
}

/** As vim and many editors save: a new file that takes the old one's name. */
async function saveOver(path: string, text: string): Promise<void> {
  await Deno.writeTextFile(`${path}~new`, text);
  await Deno.rename(`${path}~new`, path);
}

Deno.test("watch() follows writes, editors that rename over, new and removed files", async () => {
  await using s = await scratch({ agentId: "nicholai/pi" });
  await s.put("AGENTS.md", "begin-0");
  await using w = start(s);
  await w.until(has(s.target, "begin-0"), "first sync");
  const steps: [string, () => Promise<void>, () => boolean][] = [
    ["write", () => s.put("AGENTS.md", "write-1"), has(s.target, "write-1")],
    ["rename over", () => saveOver(`${s.workspace}/AGENTS.md`, "rename-2"), has(s.target, "rename-2")],
    ["rename over again", () => saveOver(`${s.workspace}/AGENTS.md`, "rename-3"), has(s.target, "rename-3")],
    ["new file", () => s.put("MEMORY.md", "memory-4"), has(s.target, "memory-4")],
    ["agent directory", () => s.put("agents/nicholai/pi/SOUL.md", "soul-5"), has(s.target, "soul-5")],
    ["agent file", () => s.put("agents/nicholai/pi/SOUL.md", "soul-6"), has(s.target, "soul-6")],
    [
      "removed",
      () => Deno.remove(`${s.workspace}/agents`, { recursive: true }),
      () => !has(s.target, "soul-6")(),
    ],
  ];
  for (const [name, act, holds] of steps) {
    await act();
    await w.until(holds, name);
  }
});

Deno.test("watch() under 100 quick edits ends with the last, in far fewer syncs", async () => {
  await using s = await scratch();
  await s.put("AGENTS.md", "edit-0\n");
  const started = performance.now();
  await using w = start(s, s.job, { quietMs: 250 });
  await w.until(has(s.target, "edit-0\n"), "first sync");
  for (let i = 1; i <= 100; i++) {
    if (i % 2) await s.put("AGENTS.md", `edit-${i}\n`);
    else await saveOver(`${s.workspace}/AGENTS.md`, `edit-${i}\n`);
  }
  await w.until(has(s.target, "edit-100\n"), "the last edit");
  // A pause precedes every sync but the first, however long the edits take.
  const most = 2 + (performance.now() - started) / 250;
  assertLessOrEqual(w.reports.length, most);
  assertEquals([...Deno.readDirSync(`${s.root}/harness`)].length, 1, "no .edited");
});

Deno.test("watch() survives the removal of the workspace, and follows it again when it is back", async () => {
  await using s = await scratch();
  await s.put("AGENTS.md", "before-1");
  await using w = start(s);
  await w.until(has(s.target, "before-1"), "first sync");
  await Deno.remove(s.workspace, { recursive: true });
  await w.until(() => w.reports.at(-1)?.[0]?.notes[0]?.startsWith("No workspace at") ?? false, "vanished");
  assert(has(s.target, "before-1")(), "the last identity stays");
  await s.put("AGENTS.md", "back-2");
  await w.until(has(s.target, "back-2"), "appeared");
  await s.put("AGENTS.md", "again-3");
  await w.until(has(s.target, "again-3"), "the next edit");
  // Another directory under the same name, without a moment in between.
  await Deno.mkdir(`${s.root}/next`);
  await Deno.writeTextFile(`${s.root}/next/AGENTS.md`, "next-4");
  await Deno.rename(s.workspace, `${s.root}/previous`);
  await Deno.rename(`${s.root}/next`, s.workspace);
  await w.until(has(s.target, "next-4"), "replaced");
  await s.put("AGENTS.md", "next-5");
  await w.until(has(s.target, "next-5"), "followed in the next one");
});

Deno.test("watch() finds a workspace that is created or configured later", async () => {
  await using s = await scratch();
  const late = `${s.root}/a/b/agents`;
  const found: { workspace?: string } = {};
  await using w = new Watching({
    jobs: () => Promise.resolve([{ ...s.job, workspace: found.workspace }]),
    also: [`${s.root}/workspace.json`],
  });
  await w.until(() => w.reports.length > 0, "first look");
  found.workspace = late;
  await Deno.writeTextFile(`${s.root}/workspace.json`, "{}");
  await w.until(() => w.reports.at(-1)?.[0]?.notes[0]?.includes(late) ?? false, "named");
  await Deno.mkdir(late, { recursive: true });
  await Deno.writeTextFile(`${late}/SOUL.md`, "late-1");
  await w.until(has(s.target, "late-1"), "appeared");
});

Deno.test("watch() follows links: of the workspace, to another one, and of a file in it", async () => {
  await using s = await scratch();
  const link = `${s.root}/link`;
  await s.put("AGENTS.md", "one-1");
  await Deno.symlink(s.workspace, link);
  await Deno.mkdir(`${s.root}/other`);
  await Deno.writeTextFile(`${s.root}/other/AGENTS.md`, "other-3");
  await Deno.mkdir(`${s.root}/dotfiles`);
  await Deno.writeTextFile(`${s.root}/dotfiles/soul.md`, "dot-4");
  await Deno.symlink("../dotfiles/soul.md", `${s.root}/other/SOUL.md`);
  await using w = start(s, { ...s.job, workspace: link });
  await w.until(has(s.target, "one-1"), "first sync");
  await s.put("AGENTS.md", "one-2");
  await w.until(has(s.target, "one-2"), "through the link");
  await Deno.symlink(`${s.root}/other`, `${link}~new`);
  await Deno.rename(`${link}~new`, link);
  await w.until(has(s.target, "other-3"), "linked elsewhere");
  await Deno.writeTextFile(`${s.root}/other/AGENTS.md`, "other-5");
  await w.until(has(s.target, "other-5"), "in the new one");
  await Deno.writeTextFile(`${s.root}/dotfiles/soul.md`, "dot-6");
  await w.until(has(s.target, "dot-6"), "behind a linked file");
});

Deno.test("watch() serves several harnesses, and the failure of one does not stop the others", async () => {
  await using s = await scratch();
  await s.put("AGENTS.md", "one-1");
  const other = (harness: string, rule: "own" | "block") => ({
    ...s.job,
    harness,
    stateDir: `${s.root}/state/signet/${harness}`,
    identity: { path: `${s.root}/${harness}.md`, rule },
  });
  const jobs = [other("codex", "own"), s.job, other("pi", "block")];
  const os: Os = {
    ...realOs,
    create: (path, bytes, mode) =>
      path.includes(".codex.md.") ? Promise.reject(new Error("disk full")) : realOs.create(path, bytes, mode),
  };
  await using w = new Watching({ jobs: () => Promise.resolve(jobs), os });
  await w.until(has(s.target, "one-1"), "own");
  await s.put("AGENTS.md", "two-2");
  await w.until(() => has(s.target, "two-2")() && has(`${s.root}/pi.md`, "two-2")(), "both");
  assertMatch(w.troubles[0] ?? "", /^codex: sync failed \(.*codex\.md cannot be written \(disk full\)/);
});

Deno.test("watch() links a skill when its SKILL.md appears, and unlinks it when it is removed", async () => {
  await using s = await scratch();
  const skillsDir = `${s.root}/harness/skills`;
  await using w = start(s, { ...s.job, skillsDir });
  await w.until(() => w.reports.length > 0, "first sync");
  await Deno.mkdir(`${s.workspace}/skills/tidy`, { recursive: true });
  await Deno.writeTextFile(`${s.workspace}/skills/tidy/SKILL.md`, "tidy");
  await w.until(has(`${skillsDir}/tidy/SKILL.md`, "tidy"), "linked");
  await Deno.remove(`${s.workspace}/skills/tidy`, { recursive: true });
  await w.until(() => [...Deno.readDirSync(skillsDir)].length === 0, "unlinked");
});

Deno.test("watch() looks now and then, for changes that send no event", async () => {
  await using s = await scratch();
  await s.put("AGENTS.md", "one-1");
  await using w = start(s, s.job, { checkMs: 50 });
  await w.until(has(s.target, "one-1"), "first sync");
  // Nothing watches the target: its removal is seen by looking.
  await Deno.remove(s.target);
  await w.until(has(s.target, "one-1"), "written again");
});

Deno.test("watch() does not sync when the sources are read or other files beside them change", async () => {
  await using s = await scratch();
  await s.put("AGENTS.md", "one-1");
  await using w = start(s);
  await w.until(has(s.target, "one-1"), "first sync");
  for (let i = 0; i < 50; i++) {
    await Deno.readTextFile(`${s.workspace}/AGENTS.md`);
    await s.put("memory.db-wal", String(i));
    await Deno.writeTextFile(`${s.root}/.history`, String(i));
  }
  // In one step: between emptying the file and writing it a slow machine would sync once more.
  await saveOver(`${s.workspace}/AGENTS.md`, "two-2");
  await w.until(has(s.target, "two-2"), "second sync");
  assertEquals(w.reports.length, 2);
});

Deno.test("watch() sees a change whose event was dropped among many others", async () => {
  await using s = await scratch();
  await s.put("AGENTS.md", "one-1");
  await Deno.mkdir(`${s.workspace}/skills/tidy`, { recursive: true });
  const skillsDir = `${s.root}/harness/skills`;
  const named: { workspace?: string } = { workspace: s.workspace };
  await using w = new Watching({
    jobs: () => Promise.resolve([{ ...s.job, ...named, skillsDir }]),
    also: [`${s.root}/workspace.json`],
  });
  await w.until(has(s.target, "one-1"), "first sync");
  /** Without a pause in which the events could be received. */
  const flood = (change: () => void) => {
    for (let i = 0; i < 100; i++) Deno.writeTextFileSync(`${s.workspace}/memory.db-wal`, String(i));
    change();
  };
  Deno.writeTextFileSync(`${s.workspace}/new`, "two-2");
  flood(() => Deno.renameSync(`${s.workspace}/new`, `${s.workspace}/AGENTS.md`));
  await w.until(has(s.target, "two-2"), "a file");
  flood(() => Deno.writeTextFileSync(`${s.workspace}/skills/tidy/SKILL.md`, "tidy"));
  await w.until(has(`${skillsDir}/tidy/SKILL.md`, "tidy"), "a skill");
  named.workspace = `${s.root}/elsewhere`;
  flood(() => Deno.writeTextFileSync(`${s.root}/workspace.json`, "{}"));
  await w.until(() => w.reports.at(-1)?.[0]?.notes[0]?.includes("elsewhere") ?? false, "a workspace");
});

Deno.test("watch() polls every second if the system refuses to watch, and reports it once", async () => {
  await using s = await scratch();
  await s.put("AGENTS.md", "one-1");
  const refuses = () => {
    throw new Error("no space left on device");
  };
  await using w = start(s, s.job, { watchFs: refuses });
  await w.until(has(s.target, "one-1"), "first sync");
  await s.put("AGENTS.md", "second-2");
  await w.until(has(s.target, "second-2"), "the second sync");
  assertEquals(w.troubles.length, 1);
  assertMatch(w.troubles[0] ?? "", /no space left on device/);
});
