import { assertEquals } from "@std/assert";
import { until } from "../../connectors/base/testing/until.ts";
import { entry } from "../../tests/worlds/hooks/sample_entry.ts";
import { Draft, finishDrafts } from "./draft.ts";
import { Spool, type SpoolEntry } from "./spool.ts";
import type { Unfinished } from "./unfinished.ts";

interface Scene {
  dir: string;
  spool: Spool;
  unfinished: Unfinished;
}

/** A repository with a conversation in it. */
async function scene(test: (scene: Scene) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${dir}/proj/.git`, { recursive: true });
    await Deno.writeTextFile(`${dir}/proj/.git/config`, '[remote "origin"]\nurl = https://u:p@h/x\n');
    await Deno.writeTextFile(
      `${dir}/t.jsonl`,
      '{"type":"user","message":{"content":"<note>x</note>tea? SECRET"}}\n',
    );
    await test({
      dir,
      spool: new Spool(`${dir}/state`),
      unfinished: {
        cwd: `${dir}/proj`,
        conversation: {
          transcriptPath: `${dir}/t.jsonl`,
          format: "claude-code",
          injectedTags: ["note"],
          injected: "SECRET",
        },
      },
    });
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

function withContext(key: string): SpoolEntry {
  return entry(key, { body: { sessionKey: key, requestContext: { harness: "sample" } } });
}

function read(spool: Spool): (SpoolEntry | string)[] {
  return spool.list().map((item) => spool.read(item));
}

type Rest<T extends unknown[]> = T extends [unknown, ...infer R] ? R : never;

/** Finishes every draft. A child that another test starts holds the lock of a draft until its exec. */
async function finishAll(spool: Spool, ...rest: Rest<Parameters<typeof finishDrafts>>): Promise<void> {
  await until("all drafts are finished", async () => {
    await finishDrafts(spool, ...rest);
    return spool.drafts().length === 0;
  });
}

Deno.test("Draft is on disk at once, and is not an entry before it is finished", () =>
  scene(async ({ spool, unfinished }) => {
    const draft = Draft.begin(spool, withContext("a"), unfinished);
    assertEquals([spool.list(), spool.isEmpty()], [[], false]);
    await finishDrafts(spool);
    assertEquals(spool.list(), [], "its hook is alive");
    draft.finish(withContext("a"));
    const names = [...Deno.readDirSync(spool.dir)].map(({ name }) => name);
    assertEquals(names, spool.list().map(({ name }) => name), "nothing else is left");
    assertEquals(spool.list()[0]?.bytes, Deno.statSync(`${spool.dir}/${names[0]}`).size);
  }));

Deno.test("finishDrafts() reads the conversation and the project of a hook that was killed", () =>
  scene(async ({ dir, spool, unfinished }) => {
    const started = withContext("a");
    Draft.begin(spool, started, unfinished).leave();
    await finishAll(spool);
    const [finished] = read(spool);
    assertEquals(typeof finished === "object" && [finished.id, finished.body.transcript], [
      started.id,
      "User: tea?",
    ]);
    const context = typeof finished === "object" ? finished.body.requestContext : undefined;
    assertEquals(JSON.stringify(context).includes(`"gitRemote":"https://h/x","gitRoot":"${dir}/proj"`), true);
    await finishAll(spool);
    assertEquals(spool.list().length, 1);
  }));

Deno.test("finishDrafts() keeps the order in which the events happened", () =>
  scene(async ({ spool, unfinished }) => {
    const draft = Draft.begin(spool, withContext("first"), unfinished);
    spool.add(withContext("second"));
    draft.leave();
    await finishAll(spool);
    assertEquals(read(spool).map((item) => typeof item === "object" && item.sessionKey), ["first", "second"]);
  }));

Deno.test("finishDrafts() sends an event without a conversation that cannot be read in time", () =>
  scene(async ({ spool, unfinished }) => {
    Draft.begin(spool, withContext("a"), unfinished).leave();
    await finishAll(spool, 0, () => new Promise(() => {}));
    assertEquals(read(spool).length, 1);
  }));

Deno.test("finishDrafts() parks a draft that is malformed", () =>
  scene(async ({ spool, unfinished }) => {
    Draft.begin(spool, withContext("a"), unfinished).leave();
    const [file] = [...Deno.readDirSync(spool.dir)];
    await Deno.writeTextFile(`${spool.dir}/${file?.name}`, "{");
    await finishAll(spool);
    assertEquals([spool.isEmpty(), spool.rejectedCount()], [true, 1]);
  }));

Deno.test("Draft keeps the order of its beginning when the clock stops or goes back", () =>
  scene(({ dir, unfinished }) => {
    let now = 2e12;
    const spool = new Spool(`${dir}/state`, () => now);
    const drafts = ["a", "b", "c"].map((key) => Draft.begin(spool, withContext(key), unfinished));
    now = 0;
    spool.add(withContext("d"));
    for (const [i, draft] of drafts.entries()) draft.finish(withContext("abc"[i] ?? ""));
    assertEquals(
      read(spool).map((entry) => typeof entry === "object" ? entry.sessionKey : entry),
      ["a", "b", "c", "d"],
    );
    return Promise.resolve();
  }));

Deno.test("Draft becomes one entry while a drain finishes drafts in another process", () =>
  scene(async ({ dir, spool }) => {
    const url = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
    const drain = new Deno.Command(Deno.execPath(), {
      args: [
        "eval",
        "--no-config",
        `import { finishDrafts } from ${url("./draft.ts")};
         import { Spool } from ${url("./spool.ts")};
         const spool = new Spool(${JSON.stringify(`${dir}/state`)});
         console.log("ready");
         while (true) await finishDrafts(spool);`,
      ],
      stdout: "piped",
    }).spawn();
    try {
      const reader = drain.stdout.getReader();
      await reader.read();
      await reader.cancel();
      const entries = Array.from({ length: 100 }, (_, i) => withContext(`s${i}`));
      for (const entry of entries) Draft.begin(spool, entry, { cwd: "" }).finish(entry);
      assertEquals(
        read(spool).map((entry) => typeof entry === "object" ? entry.id : entry),
        entries.map(({ id }) => id),
      );
    } finally {
      drain.kill("SIGKILL");
      await drain.status;
    }
  }));

Deno.test("a hook that is killed between its entry and the removal of its draft leaves one event", () =>
  scene(async ({ spool, unfinished }) => {
    const leaveBoth = () => {
      const draft = Draft.begin(spool, withContext("a"), unfinished);
      const bytes = Deno.readFileSync(`${spool.dir}/${draft.name}`);
      const { name } = draft.finish(withContext("a"));
      Deno.writeFileSync(`${spool.dir}/${draft.name}`, bytes);
      return name;
    };
    const finished = leaveBoth();
    await finishAll(spool);
    assertEquals([spool.list().map(({ name }) => name), spool.drafts()], [[finished], []]);
    spool.takeBack(finished);
    for (const done of [() => spool.takeBack(leaveBoth()), () => spool.reject({ name: leaveBoth() }, "x")]) {
      done();
      assertEquals(spool.isEmpty(), true);
    }
  }));
