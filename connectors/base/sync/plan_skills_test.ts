import { assertEquals } from "@std/assert";
import { planSkills, workspaceSkills } from "./plan_skills.ts";

async function scratch() {
  const root = await Deno.makeTempDir();
  const workspace = `${root}/agents`;
  const skillsDir = `${root}/harness/skills`;
  await Deno.mkdir(`${workspace}/skills`, { recursive: true });
  await Deno.mkdir(skillsDir, { recursive: true });
  const skill = async (name: string, at = `${workspace}/skills`) => {
    await Deno.mkdir(`${at}/${name}`, { recursive: true });
    await Deno.writeTextFile(`${at}/${name}/SKILL.md`, `---\nname: ${name}\n---\n`);
  };
  const plan = (owned: Record<string, string> = {}) =>
    planSkills({ workspace, skillsDir, owned: new Map(Object.entries(owned)) });
  return {
    root,
    workspace,
    skillsDir,
    skill,
    plan,
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

Deno.test("planSkills() links each skill folder, including symlinked ones, and nothing else", async () => {
  await using s = await scratch();
  await s.skill("b");
  await s.skill("a");
  await s.skill("elsewhere", s.root);
  await Deno.symlink(`${s.root}/elsewhere`, `${s.workspace}/skills/linked`);
  await s.skill(".git");
  await Deno.mkdir(`${s.workspace}/skills/shared`);
  await Deno.writeTextFile(`${s.workspace}/skills/README.md`, "");
  await Deno.symlink(`${s.workspace}/skills/loop`, `${s.workspace}/skills/loop`);
  const link = (name: string) => ({ path: `${s.skillsDir}/${name}`, to: `${s.workspace}/skills/${name}` });
  assertEquals(s.plan(), { links: [link("a"), link("b"), link("linked")], remove: [], left: [] });
  assertEquals(workspaceSkills(s.workspace), ["a", "b", "linked"]);
});

Deno.test("planSkills() keeps the user's directories, files and links", async () => {
  await using s = await scratch();
  for (const name of ["dir", "file", "foreign", "dangling", "same"]) await s.skill(name);
  await Deno.mkdir(`${s.skillsDir}/dir`);
  await Deno.writeTextFile(`${s.skillsDir}/file`, "");
  await Deno.symlink(s.root, `${s.skillsDir}/foreign`);
  await Deno.symlink(`${s.root}/gone`, `${s.skillsDir}/dangling`);
  // The user's own link to the same skill does what owned would, and is not owned to remove later.
  await Deno.symlink(`${s.workspace}/skills/same`, `${s.skillsDir}/same`);
  const left = ["dangling", "dir", "file", "foreign"].map((name) => `${s.skillsDir}/${name}`);
  assertEquals(s.plan(), { links: [], remove: [], left });
});

Deno.test("planSkills() keeps its links, updates those of an earlier workspace, and removes those without a skill", async () => {
  await using s = await scratch();
  await s.skill("kept");
  await s.skill("moved");
  const at = (name: string) => `${s.skillsDir}/${name}`;
  const source = (name: string) => `${s.workspace}/skills/${name}`;
  const owned = {
    [at("kept")]: source("kept"),
    [at("moved")]: "/old/skills/moved",
    [at("gone")]: source("gone"),
    [at("replaced")]: source("replaced"),
    [at("removed")]: source("removed"),
  };
  await Deno.symlink(source("kept"), at("kept"));
  await Deno.symlink("/old/skills/moved", at("moved"));
  await Deno.symlink(source("gone"), at("gone"));
  await Deno.mkdir(at("replaced"));
  assertEquals(s.plan(owned), {
    links: [{ path: at("kept"), to: source("kept") }, { path: at("moved"), to: source("moved") }],
    remove: [{ path: at("gone"), to: source("gone") }],
    left: [],
  });
});

Deno.test("planSkills() is empty if the harness reads the workspace's skills, or without a workspace", async () => {
  await using s = await scratch();
  await s.skill("a");
  const owned = new Map<string, string>();
  const none = { links: [], remove: [], left: [] };
  assertEquals(planSkills({ workspace: s.workspace, skillsDir: `${s.workspace}/skills`, owned }), none);
  await Deno.remove(s.skillsDir);
  await Deno.symlink(`${s.workspace}/skills`, s.skillsDir);
  assertEquals(s.plan(), none);
  assertEquals(planSkills({ workspace: `${s.root}/no`, skillsDir: `${s.root}/x`, owned }), none);
});
