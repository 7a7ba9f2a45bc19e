import { assert, assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { applyPlan, PlanRefused } from "../connectors/base/install/apply/apply.ts";
import { findEdits } from "../connectors/base/edit/config.ts";
import { isMap } from "../connectors/base/edit/json_value.ts";
import { showPlan } from "../connectors/base/install/plan/show_plan.ts";
import { DEEP } from "../connectors/base/testing/deep.ts";
import { draw, SEEDED, seededRandom } from "../connectors/base/testing/seed.ts";
import { treeOf } from "../connectors/base/testing/tree_of.ts";
import { readIndependently, verify } from "../connectors/base/install/verify.ts";
import {
  type EditTarget,
  forEachAgentHarness,
  forEachHarness,
  type HarnessHome,
} from "./worlds/install/harness_home.ts";

/** The variants in which users have the same config. */
const SHAPES: Record<string, (text: string, target: EditTarget) => string> = {
  "as it is": (text) => text,
  "with CRLF": (text) => text.replaceAll("\n", "\r\n"),
  "with a BOM": (text) => "\uFEFF" + text,
  "without a final line break": (text, { format }) =>
    format === "yaml" ? text.replace(/\n+(?:\.\.\.\s*)?$/, "") : text.trimEnd(),
  "as an empty file": () => "",
  "with another indent": (text, { format }) =>
    format === "yaml" || format === "toml"
      ? text
      : text.replace(/^[ \t]+/gm, (space) => space.replaceAll("\t", "  ") + " "),
  "on one line": (text, { format }) => format === "json" ? JSON.stringify(JSON.parse(text)) : text,
};

/** True if `all` is `part` with more in between; a dash may replace an indent. */
function isWithin(before: string, all: string): boolean {
  const part = before.replace(/[ \r\n]/g, "");
  let at = 0;
  for (let i = 0; i < all.length && at < part.length; i++) if (all[i] === part[at]) at++;
  return at === part.length;
}

/** With more entries the same is done: two of the variants, or all of them in a deep run. */
const WITH_AGENTS = draw(Object.keys(SHAPES), DEEP ? Infinity : 2, seededRandom());

for (const [name, shape] of Object.entries(SHAPES)) {
  const restored = async (home: HarnessHome) => {
    await home.furnish(shape);
    const before = await treeOf(home.path);
    const plan = await home.install();
    assertEquals(plan.problems, []);
    const installed = await treeOf(home.path);
    for (const { path, format, edits } of home.configs()) {
      const was = before[path.slice(home.path.length + 1)];
      const is = installed[path.slice(home.path.length + 1)];
      assert(was?.text !== undefined && is?.text !== undefined);
      assertEquals(verify(format, was.text, is.text, edits, { installed: true }), undefined);
      assertEquals(findEdits(format, is.text, edits).map(({ state }) => state), edits.map(() => "present"));
      assertEquals(is.mode, was.mode, "the mode stays");
      assert(isWithin(was.text, is.text), "every character is still there, in its order");
    }

    assertEquals((await home.planInstall()).changes, [], "installing twice equals installing once");
    await home.install();
    assertEquals(await treeOf(home.path), installed);

    assertEquals((await home.uninstall()).warnings, []);
    assertEquals(await treeOf(home.path), before);
  };
  forEachHarness(`a config ${name} keeps what is not Signet's, and is restored to the byte`, restored);
  if (WITH_AGENTS.includes(name)) {
    forEachAgentHarness(`with --agents, a config ${name} is restored to the byte ${SEEDED}`, restored);
  }
}

forEachHarness("install creates missing files and directories, and uninstall removes them", async (home) => {
  await home.install();
  for (const { path, format, edits } of home.configs()) {
    assertEquals(
      findEdits(format, await Deno.readTextFile(path), edits).map(({ state }) => state),
      edits.map(() => "present"),
    );
    assertEquals(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600, "what we create is for its owner alone");
  }
  await home.uninstall();
  assertEquals(await treeOf(home.path), {});
});

forEachHarness("uninstall in a clean home creates nothing", async (home) => {
  await home.uninstall();
  assertEquals(await treeOf(home.path), {});
  await home.furnish();
  const before = await treeOf(home.path);
  await home.uninstall();
  assertEquals(await treeOf(home.path), before);
});

forEachHarness("a config that does not parse is left alone, and its place is named", async (home) => {
  await home.furnish((text, { format }) =>
    format === "yaml"
      ? text + "\nx: [1, 2\n"
      : format === "toml"
      ? text + "\nx = = 1\n"
      : text.trimEnd().slice(0, -1)
  );
  const before = await treeOf(home.path);
  const plan = await home.planInstall();
  assertEquals(plan.problems.length, home.configs().length);
  for (const problem of plan.problems) assertMatch(problem, /:\d+:\d+: .+; it was left alone$/);
  await assertRejects(() => home.install(), PlanRefused);
  assertEquals(await treeOf(home.path), before);
}, "configs");

forEachHarness(
  "a config that stopped parsing after the install is left alone by uninstall, which does the rest",
  async (home) => {
    await home.furnish();
    await home.install();
    const [broken] = home.configs();
    assert(broken);
    const text = (await Deno.readTextFile(broken.path)) + "\n}}}: [\n";
    await Deno.writeTextFile(broken.path, text);
    const plan = await home.uninstall();
    assertEquals(await Deno.readTextFile(broken.path), text);
    assertStringIncludes(plan.warnings.join("\n"), broken.path);
    for (const { path, format, edits } of home.configs().slice(1)) {
      assert(
        findEdits(format, await Deno.readTextFile(path), edits).every(({ state }) => state === "missing"),
      );
    }
    // Once it is fixed, a second uninstall finishes the work.
    await Deno.writeTextFile(broken.path, text.replace("\n}}}: [\n", ""));
    await home.uninstall();
    assert(
      findEdits(broken.format, await Deno.readTextFile(broken.path), broken.edits).every(({ state }) =>
        state === "missing"
      ),
    );
  },
  "configs",
);

forEachHarness("a config that is a link into a repository is written through", async (home) => {
  await home.furnish();
  for (const [i, { path }] of home.configs().entries()) {
    await home.write(`dotfiles/${i}`, await Deno.readTextFile(path));
    await Deno.remove(path);
    await Deno.symlink(`${home.path}/dotfiles/${i}`, path);
  }
  const before = await treeOf(home.path);
  await home.install();
  for (const [i, { path, format, edits }] of home.configs().entries()) {
    assertEquals(await Deno.readLink(path), `${home.path}/dotfiles/${i}`);
    assert(
      findEdits(format, await Deno.readTextFile(`${home.path}/dotfiles/${i}`), edits).every(({ state }) =>
        state === "present"
      ),
    );
  }
  await home.uninstall();
  assertEquals(await treeOf(home.path), before);
});

/** Something that a user adds at the top of a config. */
function added(text: string, { format }: EditTarget): string {
  if (format === "yaml") return text.replace(/^model:/m, "zz_mine: 1 # mine\nmodel:");
  if (format === "toml") return `zz_mine = 1 # mine\n${text}`;
  return text.replace("{", '{ "zz_mine": 1,');
}

forEachHarness("what a user adds after the install remains after the uninstall", async (home) => {
  await home.furnish();
  const originals = await Promise.all(home.configs().map(({ path }) => Deno.readTextFile(path)));
  await home.install();
  for (const target of home.configs()) {
    const text = added(await Deno.readTextFile(target.path), target);
    assertStringIncludes(text, "zz_mine");
    await Deno.writeTextFile(target.path, text);
  }
  assertEquals((await home.planInstall()).changes, [], "our entries are still as they should be");
  await home.uninstall();
  for (const [i, target] of home.configs().entries()) {
    assertEquals(await Deno.readTextFile(target.path), added(originals[i] ?? "", target));
  }
});

forEachHarness("uninstall keeps a file that install created if the user added to it", async (home) => {
  await home.install();
  for (const { path, format } of home.configs()) {
    const text = await Deno.readTextFile(path);
    await Deno.writeTextFile(
      path,
      format === "yaml"
        ? `${text}mine: 1\n`
        : format === "toml"
        ? `mine = 1\n${text}`
        : text.replace("{", '{ "mine": 1,'),
    );
  }
  await home.uninstall();
  for (const { path, format } of home.configs()) {
    assertEquals(readIndependently(format, await Deno.readTextFile(path)), { mine: 1 });
  }
});

forEachHarness("Signet entries that were duplicated by hand become one", async (home) => {
  await home.furnish();
  await home.install();
  for (const { path, format, edits } of home.configs()) {
    if (format === "toml") continue;
    const value = readIndependently(format, await Deno.readTextFile(path));
    for (const edit of edits) {
      if (edit.kind !== "item") continue;
      const list = edit.path.reduce<unknown>((at, key) => isMap(at) ? at[key] : undefined, value);
      assert(Array.isArray(list));
      list.push(structuredClone(list.at(-1)));
    }
    // JSON is YAML, too.
    await Deno.writeTextFile(path, JSON.stringify(value, null, 2));
  }
  await home.install();
  for (const { path, format, edits } of home.configs()) {
    assertEquals(
      findEdits(format, await Deno.readTextFile(path), edits).map(({ state }) => state),
      edits.map(() => "present"),
    );
  }
});

forEachHarness(
  "without a usable ledger uninstall finds Signet's entries by their marks, and warns",
  async (home) => {
    for (const damage of [undefined, "{ not a ledger"]) {
      await home.furnish();
      const originals = new Map(home.configs().map(({ path }) => [path, Deno.readTextFileSync(path)]));
      await home.install();
      const state = `${home.path}/.local/state/signet/${home.harness.id}`;
      const ledger = `${state}/ledger.json`;
      if (damage === undefined) await Deno.remove(ledger);
      else await Deno.writeTextFile(ledger, damage);
      const plan = await home.uninstall();
      assertStringIncludes(plan.warnings.join("\n"), "found by their marks");
      for (const { path, format, edits } of home.configs()) {
        const text = await Deno.readTextFile(path);
        // What the marks do not bring back to the byte stays as a backup.
        if (text !== originals.get(path)) {
          assertStringIncludes(plan.warnings.join("\n"), `stay in ${state}/backups`);
          const kept = [...Deno.readDirSync(`${state}/backups`)].map(({ name }) =>
            Deno.readTextFileSync(`${state}/backups/${name}`)
          );
          assert(kept.includes(originals.get(path) ?? ""), "the original is not thrown away");
        }
        assert(findEdits(format, text, edits).every(({ state }) => state === "missing"));
      }
      for (const target of home.request().targets) {
        if (target.kind === "file") await assertRejects(() => Deno.stat(target.path), Deno.errors.NotFound);
      }
    }
  },
);

forEachHarness("the diff shows our lines, and nobody's secrets", async (home) => {
  await home.furnish();
  const shown = showPlan(await home.planInstall(), { home: home.path });
  assert(!/ghp_x|not-for-anyone|keep-me/.test(shown), shown);
  assertStringIncludes(shown, "+++ ~/");
  assert(!shown.includes("\x1b["), "no colour unless it is asked for");
});

forEachHarness("a file that changes between plan and apply is planned again", async (home) => {
  await home.furnish();
  const plan = await home.planInstall();
  const [target] = home.configs();
  assert(target);
  await Deno.writeTextFile(target.path, added(await Deno.readTextFile(target.path), target));
  await applyPlan(home.os, plan);
  const text = await Deno.readTextFile(target.path);
  assertStringIncludes(text, "zz_mine");
  assert(findEdits(target.format, text, target.edits).every(({ state }) => state === "present"));
}, "configs");
