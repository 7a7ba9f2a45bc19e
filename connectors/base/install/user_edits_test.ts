import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Format } from "../edit/edit.ts";
import { realOs } from "../fs/os.ts";
import type { Target } from "../harness.ts";
import { requestFor, withHome } from "../testing/scratch.ts";
import { treeOf } from "../testing/tree_of.ts";
import { applyPlan } from "./apply/apply.ts";
import type { PlanInput } from "./plan/plan.ts";
import { planInstall } from "./plan/plan_install.ts";
import { planUninstall } from "./plan/plan_uninstall.ts";

const install = async (request: PlanInput) => applyPlan(realOs, await planInstall(realOs, request));
const uninstall = async (request: PlanInput) => applyPlan(realOs, await planUninstall(realOs, request));

function skill(home: string, version: number): Target {
  return {
    kind: "file",
    path: `${home}/skills/signet-recall/SKILL.md`,
    text: `---\nname: signet-recall\n---\nRun it (${version}).\n`,
    owns: (text) => text.startsWith("---\nname: signet-recall\n"),
  };
}

Deno.test("the user's edits to our SKILL.md are kept aside when it is written again", () =>
  withHome({}, async (home) => {
    const one = requestFor(home, [skill(home, 1)]);
    const { path } = skill(home, 1);
    await install(one);
    const mine = (await Deno.readTextFile(path)) + "Never about work.\n";
    await Deno.writeTextFile(path, mine);
    const { warnings } = await install(requestFor(home, [skill(home, 2)]));
    assertEquals(warnings, [`${path} was edited; your version is in ${path}.edited`]);
    assertEquals(await Deno.readTextFile(`${path}.edited`), mine);
    assertStringIncludes(await Deno.readTextFile(path), "(2)");

    await Deno.writeTextFile(path, mine + "More.\n");
    await uninstall(requestFor(home, [skill(home, 2)]));
    assertEquals(await Deno.readTextFile(`${path}.edited.2`), mine + "More.\n");
    assertEquals(await realOs.stat(path), undefined, "the skill calls a program that is gone");
  }));

Deno.test("without a ledger, a SKILL.md that differs from ours is kept aside", () =>
  withHome({}, async (home) => {
    const request = requestFor(home, [skill(home, 1)]);
    const { path } = skill(home, 1);
    await install(request);
    await Deno.writeTextFile(path, "---\nname: signet-recall\n---\nMine.\n");
    await Deno.remove(`${request.stateDir}/ledger.json`);
    await uninstall(request);
    assertEquals(await Deno.readTextFile(`${path}.edited`), "---\nname: signet-recall\n---\nMine.\n");
  }));

const block = (path: string, text: string): Target => ({ kind: "block", path, text });

Deno.test("what a user wrote between our marks is kept aside", () =>
  withHome({ "AGENTS.md": "# Mine\n" }, async (home) => {
    const path = `${home}/AGENTS.md`;
    await install(requestFor(home, [block(path, "Signet keeps this (1).")]));
    const edited = (await Deno.readTextFile(path)).replace("(1).", "(1).\n<!-- mine: check this -->");
    await Deno.writeTextFile(path, edited);
    await install(requestFor(home, [block(path, "Signet keeps this (2).")]));
    assertEquals(await Deno.readTextFile(`${path}.edited`), edited);
    const again = (await Deno.readTextFile(path)).replace("(2).", "(2).\n<!-- mine: again -->");
    await Deno.writeTextFile(path, again);
    await uninstall(requestFor(home, []));
    assertEquals(await Deno.readTextFile(`${path}.edited.2`), again);
    assertEquals(await Deno.readTextFile(path), "# Mine\n");
  }));

for (const order of [["codex", "gemini"], ["gemini", "codex"]] as const) {
  Deno.test(`one AGENTS.md that two harnesses read keeps the block until the second is uninstalled: ${order.join(", ")}`, () =>
    withHome({ "dotfiles/AGENTS.md": "# Mine\n" }, async (home) => {
      for (const harness of order) {
        await Deno.mkdir(`${home}/${harness}`);
        await Deno.symlink(`${home}/dotfiles/AGENTS.md`, `${home}/${harness}/AGENTS.md`);
      }
      const before = await treeOf(home);
      const request = (harness: string): PlanInput => ({
        harness,
        stateDir: `${home}/.local/state/signet/${harness}`,
        targets: [block(`${home}/${harness}/AGENTS.md`, `Signet keeps this for ${harness}.`)],
      });
      await install(request("codex"));
      await install(request("gemini"));
      const text = await Deno.readTextFile(`${home}/dotfiles/AGENTS.md`);
      assertEquals(text.split("SIGNET:START").length, 2, "one block");
      assertEquals((await planInstall(realOs, request("codex"))).changes, []);
      assertEquals((await planInstall(realOs, request("gemini"))).changes, []);
      await uninstall(request(order[0]));
      assertEquals(await Deno.readTextFile(`${home}/dotfiles/AGENTS.md`), text, "the other one's block");
      await install(request(order[1]));
      assertStringIncludes(await Deno.readTextFile(`${home}/dotfiles/AGENTS.md`), `for ${order[1]}.`);
      const { warnings } = await uninstall(request(order[1]));
      assertEquals(warnings, []);
      assertEquals(await treeOf(home), before);
    }));
}

/** `--set-workspace`, as the OpenClaw connector writes it. */
function workspace(home: string, value = "/home/u/.agents", replaces = true): PlanInput {
  const path = ["agents", "defaults", "workspace"];
  return requestFor(home, [{
    kind: "edit",
    path: `${home}/openclaw.json`,
    format: "json5",
    edits: [
      ...replaces
        ? [{ kind: "entry" as const, path, value, replaces: true, owns: (found: unknown) => found === value }]
        : [],
      {
        kind: "entry",
        path: ["plugins", "signet-connector"],
        value: { enabled: true },
        owns: () => true,
      },
    ],
  }]);
}

const OPENCLAW = "{\n  agents: { defaults: { workspace: '~/claw' } }, // mine\n}\n";

Deno.test("a value that install replaced comes back, whatever happens in between", async (t) => {
  const cases: Record<string, (home: string) => Promise<unknown>> = {
    "nothing": () => Promise.resolve(),
    "an install with another value": (home) => install(workspace(home, "/home/u/other")),
    "an install without the flag": (home) => install(workspace(home, "", false)),
    "a rewrite by the harness": async (home) => {
      const text = await Deno.readTextFile(`${home}/openclaw.json`);
      await Deno.writeTextFile(`${home}/openclaw.json`, text.replace(/ +/g, " ").replaceAll("'", '"'));
    },
  };
  for (const [name, meanwhile] of Object.entries(cases)) {
    await t.step(name, () =>
      withHome({ "openclaw.json": OPENCLAW }, async (home) => {
        await install(workspace(home));
        assertStringIncludes(await Deno.readTextFile(`${home}/openclaw.json`), "/home/u/.agents");
        await meanwhile(home);
        await uninstall(workspace(home));
        const text = await Deno.readTextFile(`${home}/openclaw.json`);
        assertEquals(text.replaceAll('"', "'").replace(/\s+/g, " "), OPENCLAW.replace(/\s+/g, " "));
      }));
  }
});

Deno.test("a value that the user changed after install replaced theirs is the user's", () =>
  withHome({ "openclaw.json": OPENCLAW }, async (home) => {
    await install(workspace(home));
    const text = await Deno.readTextFile(`${home}/openclaw.json`);
    await Deno.writeTextFile(`${home}/openclaw.json`, text.replace("/home/u/.agents", "~/new"));
    await uninstall(workspace(home));
    assertEquals(await Deno.readTextFile(`${home}/openclaw.json`), OPENCLAW.replace("~/claw", "~/new"));
  }));

Deno.test("planInstall() refuses a YAML tag that readers disagree on, and names its place", () =>
  withHome({}, async (home) => {
    const path = `${home}/.pyagent/config.yaml`;
    for (const tag of ["!!omap", "!!pairs", "!!python/object:foo.Bar", "!!unknown"]) {
      await Deno.writeTextFile(path, `model: x\nextra: ${tag}\n  - a: 1\n`);
      const { problems } = await planInstall(realOs, requestFor(home));
      assertEquals(problems, [
        `${path}:2:8: the YAML tag ${tag} is not supported; write the value without it; it was left alone`,
      ]);
    }
    await Deno.writeTextFile(path, "a: !!set {x}\nb: !!str 3\nc: !env HOME\nd: !!binary aGVsbG8=\n");
    assertEquals((await planInstall(realOs, requestFor(home))).problems, []);
  }));

Deno.test("a `|` value at the end of a file keeps its line break", () =>
  withHome({ ".pyagent/config.yaml": "model: x\nnotes: |\n  text\n" }, async (home) => {
    const path = `${home}/.pyagent/config.yaml`;
    await install(requestFor(home));
    // An editor that ends no file with a line break.
    await Deno.writeTextFile(path, (await Deno.readTextFile(path)).trimEnd());
    await uninstall(requestFor(home));
    assertEquals(await Deno.readTextFile(path), "model: x\nnotes: |\n  text\n");
  }));

const COMMENTED: Partial<Record<Format, [before: string, find: RegExp, put: string, left: string]>> = {
  yaml: ["model: x\n", /^( *)timeout: 5$/m, "$1timeout: 5 # mine", "# mine"],
};

Deno.test("a comment inside our entry is still there after the uninstall", () =>
  withHome({}, async (home) => {
    for (const [before, find, put, left] of Object.values(COMMENTED)) {
      const path = `${home}/.pyagent/config.yaml`;
      await Deno.writeTextFile(path, before);
      await install(requestFor(home));
      await Deno.writeTextFile(path, (await Deno.readTextFile(path)).replace(find, put));
      await uninstall(requestFor(home));
      const text = await Deno.readTextFile(path);
      assertStringIncludes(text, left);
      assert(!text.includes("signet"), text);
    }
  }));

Deno.test("a line of our entry that the user copied goes with it", () =>
  withHome({}, async (home) => {
    const path = `${home}/.pyagent/config.yaml`;
    const before = "hooks:\n  on_session_start:\n    - command: x\n";
    await Deno.writeTextFile(path, before);
    await install(requestFor(home));
    const text = await Deno.readTextFile(path);
    const copied = text.replace(/^ +- command: .*signet.*\n/m, "$&$&");
    assert(copied !== text, text);
    await Deno.writeTextFile(path, copied.replace("hooks:", "hooks: # mine"));
    await uninstall(requestFor(home));
    assertEquals(await Deno.readTextFile(path), before.replace("hooks:", "hooks: # mine"));
  }));
