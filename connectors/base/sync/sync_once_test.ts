import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { isStale, parseStamp } from "../../../hooks/state/stale.ts";
import { scratch } from "../testing/sync_scratch.ts";
import { realOs } from "../fs/os.ts";
import { stampPath } from "./source_stamp.ts";
import { syncOnce } from "./sync_once.ts";

Deno.test("syncOnce() writes the identity, and then nothing until a source changes", async () => {
  await using s = await scratch();
  await s.put("AGENTS.md", "one");
  assertEquals((await syncOnce(s.job)).changes.map((c) => c.kind), ["write"]);
  const first = await Deno.stat(s.target);
  const text = await s.read();
  assertStringIncludes(text, "one");

  assertEquals(await syncOnce(s.job, realOs, new Date(0)), {
    harness: "pyagent",
    changes: [],
    warnings: [],
    notes: [],
  });
  assertEquals(await s.read(), text);
  assertEquals((await Deno.stat(s.target)).ino, first.ino);

  await s.put("AGENTS.md", "two");
  await syncOnce(s.job);
  assertStringIncludes(await s.read(), "two");
});

Deno.test("syncOnce() keeps copies of a generated file that the user edited, each under its own name", async () => {
  await using s = await scratch();
  await s.put("AGENTS.md", "one");
  await syncOnce(s.job);
  for (const [edit, kept] of [["first\n", ".edited"], ["second\n", ".edited.2"]] as const) {
    const theirs = await s.read() + edit;
    await Deno.writeTextFile(s.target, theirs);
    const { warnings } = await syncOnce(s.job);
    assertStringIncludes(warnings.join("\n"), `your version is in ${s.target}${kept}`);
    assertEquals(await Deno.readTextFile(s.target + kept), theirs);
    assert(!(await s.read()).includes(edit));
  }
  assertEquals((await syncOnce(s.job)).warnings, []);
});

Deno.test("syncOnce() never touches a file that the user wrote", async () => {
  await using s = await scratch();
  await s.put("AGENTS.md", "one");
  await Deno.mkdir(`${s.root}/harness`);
  await Deno.writeTextFile(s.target, "mine, about Signet\n");
  const { changes, warnings } = await syncOnce(s.job);
  assertEquals(changes, []);
  assertMatch(warnings.join("\n"), /was not changed: it was written by you/);
  assertEquals(await s.read(), "mine, about Signet\n");

  const generated =
    "# Auto-generated from /x\n# DO NOT EDIT - changes will be overwritten\nanother connector's\n";
  await Deno.writeTextFile(s.target, generated);
  assertMatch((await syncOnce(s.job)).warnings.join("\n"), /not by this connector/);
  assertEquals(await s.read(), generated);
});

Deno.test("syncOnce() still owns its file after its state was deleted", async () => {
  await using s = await scratch();
  await s.put("AGENTS.md", "one");
  await syncOnce(s.job);
  await Deno.remove(s.job.stateDir, { recursive: true });
  assertEquals((await syncOnce(s.job)).changes, []);
  await s.put("AGENTS.md", "two");
  assertEquals((await syncOnce(s.job)).changes.map((c) => c.kind), ["write"]);
  assertStringIncludes(await s.read(), "two");
});

Deno.test("syncOnce() adds the block to a user's file and keeps every other byte", async () => {
  await using s = await scratch({});
  const job = { ...s.job, identity: { path: s.target, rule: "block" as const } };
  await s.put("SOUL.md", "calm");
  await Deno.mkdir(`${s.root}/harness`);
  await Deno.writeTextFile(s.target, "\uFEFF# Mine\r\n\r\nKeep.\r\n", { mode: 0o640 });
  await syncOnce(job);
  const text = await s.read();
  assert(text.startsWith("\uFEFF# Mine\r\n\r\nKeep.\r\n\r\n<!-- SIGNET:START -->\r\n"));
  assertStringIncludes(text, "## Soul\r\n\r\ncalm\r\n<!-- SIGNET:END -->");
  if (Deno.build.os !== "windows") assertEquals(((await Deno.stat(s.target)).mode ?? 0) & 0o777, 0o640);
  assertEquals((await syncOnce(job)).changes, []);

  const bytes = new Uint8Array([0x61, 0xff, 0x0a]);
  await Deno.writeFile(s.target, bytes);
  assertMatch((await syncOnce(job)).warnings.join("\n"), /not UTF-8/);
  assertEquals(await Deno.readFile(s.target), bytes);
});

Deno.test("syncOnce() refuses to write through a link to a workspace file", async () => {
  await using s = await scratch();
  await s.put("AGENTS.md", "source");
  await Deno.mkdir(`${s.root}/harness`);
  await Deno.symlink(`${s.workspace}/AGENTS.md`, s.target);
  for (const rule of ["own", "block"] as const) {
    const { changes, warnings } = await syncOnce({ ...s.job, identity: { path: s.target, rule } });
    assertEquals(changes, []);
    assertMatch(warnings.join("\n"), /is the source .* itself/);
  }
  assertEquals(await Deno.readTextFile(`${s.workspace}/AGENTS.md`), "source");
});

Deno.test("syncOnce() writes through a link and leaves the link", async () => {
  await using s = await scratch();
  await s.put("AGENTS.md", "one");
  await Deno.mkdir(`${s.root}/harness`);
  await Deno.symlink(`${s.root}/dotfile.md`, s.target);
  await syncOnce(s.job);
  assertEquals(await Deno.readLink(s.target), `${s.root}/dotfile.md`);
  assertStringIncludes(await Deno.readTextFile(`${s.root}/dotfile.md`), "one");
});

Deno.test("syncOnce() keeps the last identity while there is no workspace, and adds a note", async () => {
  await using s = await scratch();
  await s.put("AGENTS.md", "one");
  await syncOnce(s.job);
  const text = await s.read();
  await Deno.rename(s.workspace, `${s.workspace}.away`);
  const { changes, notes } = await syncOnce(s.job);
  assertEquals(changes, []);
  assertMatch(notes.join("\n"), /No workspace at .*: identity comes from the daemon/);
  assertEquals(await s.read(), text);
  assertMatch(
    (await syncOnce({ ...s.job, workspace: undefined })).notes.join(),
    /No workspace on this machine/,
  );
});

Deno.test({
  name: "syncOnce() reports targets that are not regular files and does not hang",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using s = await scratch();
    await s.put("SOUL.md", "calm");
    await Deno.mkdir(`${s.root}/harness`);
    await new Deno.Command("mkfifo", { args: [s.target, `${s.workspace}/USER.md`] }).output();
    const { changes, warnings } = await syncOnce(s.job);
    assertEquals(changes, []);
    assertMatch(
      warnings.join("\n"),
      /USER\.md is not a regular file.*\n.*AGENTS\.md was not changed: it is not a regular/,
    );
  },
});

Deno.test("syncOnce() links skills, and removes the link when the skill is gone", async () => {
  await using s = await scratch();
  const job = { ...s.job, skillsDir: `${s.root}/harness/skills` };
  await s.put("skills/tidy/SKILL.md", "tidy");
  await s.put("skills/mine/SKILL.md", "theirs");
  await Deno.mkdir(`${job.skillsDir}/mine`, { recursive: true });
  const first = await syncOnce(job);
  assertEquals(await Deno.readTextFile(`${job.skillsDir}/tidy/SKILL.md`), "tidy");
  assertMatch(first.warnings.join("\n"), /skills\/mine was not changed/);
  assertEquals((await syncOnce(job)).changes, []);
  await Deno.remove(`${s.workspace}/skills/tidy`, { recursive: true });
  assertEquals((await syncOnce(job)).changes.map((c) => c.kind), ["unlink"]);
  assertEquals([...Deno.readDirSync(job.skillsDir)].map((entry) => entry.name), ["mine"]);
});

Deno.test("syncOnce() writes a stamp that becomes stale with any source, the skills, or the target", async () => {
  await using s = await scratch({ agentId: "nicholai/pi" });
  await s.put("AGENTS.md", "one");
  const stale = () => {
    const stamp = parseStamp(Deno.readTextFileSync(stampPath(s.job)));
    assert(stamp);
    return isStale(stamp);
  };
  await syncOnce(s.job);
  assertEquals(stale(), false);
  const touches = [
    () => s.put("AGENTS.md", "longer"),
    () => s.put("MEMORY.md", "new"),
    () => s.put("agents/nicholai/pi/SOUL.md", "own"),
    () => s.put("skills/a/SKILL.md", "a"),
    () => Deno.remove(`${s.workspace}/MEMORY.md`),
    () => Deno.remove(s.target),
  ];
  for (const touch of touches) {
    await touch();
    assertEquals(stale(), true, String(touch));
    await syncOnce(s.job);
    assertEquals(stale(), false, String(touch));
  }
});

Deno.test("syncOnce() twenty times at once writes whole files and treats none of them as a user edit", async () => {
  await using s = await scratch({});
  const job = { ...s.job, skillsDir: `${s.root}/harness/skills` };
  await s.put("skills/tidy/SKILL.md", "tidy");
  await Promise.all(Array.from({ length: 20 }, async (_, i) => {
    await s.put("AGENTS.md", `version ${i} ${"x".repeat(i * 500)}`);
    // On a slow machine the others may take longer than a sync waits for them.
    await syncOnce(job).catch((error) => assertMatch(String(error), /another install has held .* for 30 s/));
  }));
  await s.put("AGENTS.md", "last");
  await Promise.all([syncOnce(job), syncOnce(job)]);
  assertStringIncludes(await s.read(), "\nlast\n");
  assertEquals([...Deno.readDirSync(`${s.root}/harness`)].map((entry) => entry.name).sort(), [
    "AGENTS.md",
    "skills",
  ]);
});
