import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { applyPlan } from "./apply.ts";
import type { Target } from "../../harness.ts";
import { type Os, realOs } from "../../fs/os.ts";
import { combinePlans, isEmpty, type PlanInput } from "../plan/plan.ts";
import { planInstall } from "../plan/plan_install.ts";
import { planUninstall } from "../plan/plan_uninstall.ts";
import { showPlan } from "../plan/show_plan.ts";
import { everyTarget, owns, requestFor, withHome } from "../../testing/scratch.ts";
import { treeOf } from "../../testing/tree_of.ts";

async function install(request: PlanInput, os: Os = realOs) {
  return await applyPlan(os, await planInstall(os, request));
}

async function uninstall(request: PlanInput, os: Os = realOs) {
  return await applyPlan(os, await planUninstall(os, request));
}

Deno.test("applyPlan() installs every kind of target, and uninstall restores the home", () =>
  withHome({}, async (home) => {
    const before = await treeOf(home);
    const request = requestFor(home);
    const plan = await planInstall(realOs, request);
    assertEquals(plan.problems, []);
    assertEquals(await treeOf(home), before, "planning writes nothing");
    const shown = showPlan(plan, { home });
    assertStringIncludes(shown, "--- ~/.pyagent/config.yaml\n+++ ~/.pyagent/config.yaml\n@@ -1,4 +1,");
    assertStringIncludes(shown, "+apiKey: [hidden]");
    assert(!shown.includes("very-secret"));

    const applied = await applyPlan(realOs, plan);
    assertEquals(applied.backups.length, 2, "one for each file of the user's");
    const installed = await treeOf(home);
    assertEquals(installed[".pyagent/config.yaml"]?.mode, 0o640);
    assertEquals(installed[".config/signet/connectors/pyagent.json"]?.mode, 0o600);
    assertEquals(installed[".config/signet/connectors"]?.mode, 0o700);
    assertEquals(installed[".local/bin/signet-pyagent"]?.mode, 0o755);
    assertEquals(installed[".local/state/signet/pyagent/ledger.json"]?.mode, 0o600);
    for (const path of applied.backups) assertEquals(installed[path.slice(home.length + 1)]?.mode, 0o600);

    const again = await planInstall(realOs, request);
    assert(isEmpty(again));
    await applyPlan(realOs, again);
    assertEquals(await treeOf(home), installed, "installing twice equals installing once");

    const back = await planUninstall(realOs, request);
    assertEquals(back.warnings, []);
    await applyPlan(realOs, back);
    assertEquals(await treeOf(home), before);
  }));

Deno.test("applyPlan() leaves no directory behind when an install begins while an uninstall cleans up", () =>
  withHome({}, async (home) => {
    const before = await treeOf(home);
    await install(requestFor(home));
    const signet = `${home}/.local/state/signet`;
    let waiting: Promise<unknown> | undefined;
    const os: Os = {
      ...realOs,
      async remove(path) {
        await realOs.remove(path);
        if (path !== signet || waiting !== undefined) return;
        await realOs.mkdir(signet, 0o700);
        waiting = install(requestFor(home));
      },
    };
    await uninstall(requestFor(home), os);
    assert(waiting !== undefined, "the directory was removed");
    await waiting;
    await uninstall(requestFor(home));
    assertEquals(await treeOf(home), before);
  }));

Deno.test("applyPlan() restores every file if one write fails", () =>
  withHome({}, async (home) => {
    await install(requestFor(home));
    const before = await treeOf(home);
    const next = requestFor(home, everyTarget(home, 2));
    const plan = await planInstall(realOs, next);
    for (const fails of plan.changes.map(({ path }) => path)) {
      const os: Os = {
        ...realOs,
        rename: (from, to) =>
          to === fails && from.includes(".signet-")
            ? Promise.reject(new Error("disk on fire"))
            : realOs.rename(from, to),
        symlink: (to, path) =>
          path === fails && to.endsWith("2")
            ? Promise.reject(new Error("disk on fire"))
            : realOs.symlink(to, path),
      };
      const error = await assertRejects(() => applyPlan(os, plan), Error, "disk on fire");
      assertStringIncludes(error.message, fails);
      if (!error.message.includes("undoing the changes failed")) {
        assertEquals(await treeOf(home), before, `${fails} failed`);
      }
    }
  }));

Deno.test("planInstall() of a newer version changes what differs, and uninstall still restores the original", () =>
  withHome({}, async (home) => {
    const before = await treeOf(home);
    await install(requestFor(home, everyTarget(home, 1)));
    await install(requestFor(home, everyTarget(home, 2)));
    const installed = await treeOf(home);
    assertStringIncludes(installed[".pyagent/identity/AGENTS.md"]?.text ?? "", "memory (2)");
    assertEquals(installed[".pyagent/skills/recall"]?.text, `-> ${home}/.agents/skills/recall-2`);
    assertEquals(installed[".local/bin/signet-pyagent"]?.text, "#!/bin/sh\necho 2\n");
    await uninstall(requestFor(home, everyTarget(home, 2)));
    assertEquals(await treeOf(home), before);
  }));

Deno.test("planInstall() removes what an earlier install wrote and this one does not", () =>
  withHome({}, async (home) => {
    await install(requestFor(home));
    const fewer = everyTarget(home).flatMap((target): Target[] =>
      target.kind === "edit"
        ? [{ ...target, edits: target.edits.filter(({ kind }) => kind === "item") }]
        : target.kind === "block"
        ? [target]
        : []
    );
    await install(requestFor(home, fewer));
    const tree = await treeOf(home);
    assert(!tree[".pyagent/config.yaml"]?.text?.includes("mcp_servers"));
    assertStringIncludes(tree[".pyagent/config.yaml"]?.text ?? "", "hook session-start");
    for (
      const gone of [
        ".pyagent/plugin.js",
        ".pyagent/skills/recall",
        ".local/bin/signet-pyagent",
        ".config/signet/connectors/pyagent.json",
      ]
    ) {
      assertEquals(tree[gone], undefined, gone);
    }
  }));

Deno.test("planInstall() with `partial` keeps what its targets do not name", () =>
  withHome({}, async (home) => {
    await install(requestFor(home));
    const installed = await treeOf(home);
    const block: Target = {
      kind: "block",
      path: `${home}/.pyagent/identity/AGENTS.md`,
      text: "Signet keeps this agent's memory (1).",
    };
    await install({ ...requestFor(home, [block]), partial: true });
    assertEquals(await treeOf(home), installed);
  }));

Deno.test("planUninstall() needs no targets if there is a ledger", () =>
  withHome({}, async (home) => {
    const before = await treeOf(home);
    await install(requestFor(home));
    await uninstall(requestFor(home, []));
    assertEquals(await treeOf(home), before);
  }));

Deno.test("planUninstall() keeps the files in `keep`", () =>
  withHome({}, async (home) => {
    await install(requestFor(home));
    const secret = `${home}/.config/signet/connectors/pyagent.json`;
    await uninstall({ ...requestFor(home), keep: [secret] });
    assertStringIncludes(await Deno.readTextFile(secret), "sk-very-secret-1");
  }));

Deno.test("planInstall() keeps a user's file, link or directory at a target's path, and warns", () =>
  withHome(
    { ".pyagent/plugin.js": "// mine\n", ".pyagent/skills/recall/SKILL.md": "mine\n" },
    async (home) => {
      const before = await treeOf(home);
      const plan = await planInstall(realOs, requestFor(home));
      assertStringIncludes(
        plan.warnings.join("\n"),
        "plugin.js was not written by this connector and was kept",
      );
      assertStringIncludes(plan.warnings.join("\n"), "recall already exists");
      await applyPlan(realOs, plan);
      const installed = await treeOf(home);
      for (const path of [".pyagent/plugin.js", ".pyagent/skills/recall/SKILL.md"]) {
        assertEquals(installed[path], before[path]);
      }
      await uninstall(requestFor(home));
      assertEquals(await treeOf(home), before);
    },
  ));

Deno.test("planInstall() replaces its own link and keeps one that the user changed", () =>
  withHome({ "elsewhere/SKILL.md": "x" }, async (home) => {
    await install(requestFor(home));
    const link = `${home}/.pyagent/skills/recall`;
    await Deno.remove(link);
    await Deno.symlink(`${home}/elsewhere`, link);
    await install(requestFor(home, everyTarget(home, 2)));
    assertEquals(await Deno.readLink(link), `${home}/elsewhere`);
    await uninstall(requestFor(home, everyTarget(home, 2)));
    assertEquals(await Deno.readLink(link), `${home}/elsewhere`);
  }));

Deno.test("planInstall() does not rewrite a generated file if only its date differs", () =>
  withHome({}, async (home) => {
    const file = (date: string, body = "x"): Target => ({
      kind: "file",
      path: `${home}/gen.md`,
      text: `# Generated: ${date}\n${body}\n`,
      owns: (text) => text.startsWith("# Generated:"),
    });
    await install(requestFor(home, [file("monday")]));
    assertEquals((await planInstall(realOs, requestFor(home, [file("tuesday")]))).changes, []);
    assertEquals((await planInstall(realOs, requestFor(home, [file("tuesday", "y")]))).changes.length, 1);
  }));

Deno.test("applyPlan() replaces a program that is running", () =>
  withHome({}, async (home) => {
    const [program] = everyTarget(home).filter((target) => target.kind === "program");
    assert(program);
    await Deno.copyFile("/bin/cat", `${home}/download/signet-pyagent-1`);
    await install(requestFor(home, [program]));
    await using child = new Deno.Command(program.path, { stdin: "piped", stdout: "piped" }).spawn();
    await install(requestFor(home, everyTarget(home, 2).filter((target) => target.kind === "program")));
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode("still here"));
    await writer.close();
    assertEquals(new TextDecoder().decode((await child.output()).stdout), "still here");
    assertEquals(await Deno.readTextFile(program.path), "#!/bin/sh\necho 2\n");
  }));

Deno.test("planUninstall() keeps a program that it did not install", () =>
  withHome({}, async (home) => {
    await install(requestFor(home));
    await Deno.writeTextFile(`${home}/.local/bin/signet-pyagent`, "a newer one");
    const plan = await planUninstall(realOs, requestFor(home));
    assertStringIncludes(
      plan.warnings.join("\n"),
      "signet-pyagent is not the program that was installed and was kept",
    );
    await applyPlan(realOs, plan);
    assertEquals(await Deno.readTextFile(`${home}/.local/bin/signet-pyagent`), "a newer one");
  }));

Deno.test("planInstall() writes no key through a link", () =>
  withHome({ "shared/key.json": "{}" }, async (home) => {
    const dir = `${home}/.config/signet/connectors`;
    await Deno.mkdir(dir, { recursive: true });
    await Deno.symlink(`${home}/shared/key.json`, `${dir}/pyagent.json`);
    const plan = await planInstall(realOs, requestFor(home));
    assertStringIncludes(plan.problems.join("\n"), "a key is never written through a link");
  }));

Deno.test("applyPlan() of combined plans applies all of them or none", () =>
  withHome({ ".other/settings.json": "{}\n" }, async (home) => {
    const before = await treeOf(home);
    const other: PlanInput = {
      harness: "other",
      stateDir: `${home}/.local/state/signet/other`,
      targets: [
        {
          kind: "edit",
          path: `${home}/.other/settings.json`,
          format: "json",
          edits: [{
            kind: "entry",
            path: ["mcp", "signet"],
            value: { command: "/home/u/.local/bin/signet-pyagent" },
            owns,
          }],
        },
        // The same program serves both.
        {
          kind: "program",
          path: `${home}/.local/bin/signet-pyagent`,
          from: `${home}/download/signet-pyagent-1`,
        },
      ],
    };
    const both = combinePlans(await planInstall(realOs, requestFor(home)), await planInstall(realOs, other));
    const failing: Os = {
      ...realOs,
      rename: (from, to) =>
        to.endsWith("settings.json") && from.includes(".signet-")
          ? Promise.reject(new Error("no"))
          : realOs.rename(from, to),
    };
    await assertRejects(() => applyPlan(failing, both), Error, "nothing was changed");
    assertEquals(await treeOf(home), before);
    await applyPlan(realOs, both);
    assertStringIncludes(await Deno.readTextFile(`${home}/.other/settings.json`), "signet-pyagent");
    const leaving = ["pyagent", "other"];
    const gone = [{ ...requestFor(home), leaving }, { ...other, leaving }];
    await applyPlan(
      realOs,
      combinePlans(...await Promise.all(gone.map((request) => planUninstall(realOs, request)))),
    );
    assertEquals(await treeOf(home), before);
  }));

Deno.test("applyPlan() shares the directories of a harness that was installed since the plan was made", () =>
  withHome({}, async (home) => {
    const before = await treeOf(home);
    const request = (harness: string): PlanInput => ({
      harness,
      stateDir: `${home}/.local/state/signet/${harness}`,
      targets: [{
        kind: "program",
        path: `${home}/.local/bin/signet-${harness}`,
        from: `${home}/download/signet-pyagent-1`,
      }],
    });
    // An install that runs at this moment has created the directory, and written no ledger yet.
    await Deno.mkdir(`${home}/.local/bin`, { recursive: true });
    const plan = await planInstall(realOs, request("codex"));
    await Deno.remove(`${home}/.local`, { recursive: true });
    await install(request("pi"));
    await applyPlan(realOs, plan);
    for (const harness of ["pi", "codex"]) await uninstall(request(harness));
    assertEquals(await treeOf(home), before);
  }));

Deno.test("planInstall() reports the original CLI's entries, and removes them only on request", () =>
  withHome({}, async (home) => {
    const path = `${home}/.claude/settings.json`;
    const text =
      '{\n  "hooks": {\n    "Start": [\n      { "hooks": [{ "command": "signet hook session-start -H claude-code" }] },\n      { "hooks": [{ "command": "lint" }] }\n    ]\n  }\n}\n';
    await Deno.mkdir(`${home}/.claude`);
    await Deno.writeTextFile(path, text);
    const target: Target = {
      kind: "edit",
      path,
      format: "json",
      edits: [{
        kind: "item",
        path: ["hooks", "Start"],
        value: { hooks: [{ command: '"/home/u/.local/bin/signet-pyagent" hook session-start' }] },
        inner: "hooks",
        owns,
      }],
    };
    const request = requestFor(home, [target]);
    const plan = await planInstall(realOs, request);
    assertEquals(plan.signetCli.map(({ file, line, command }) => [file, line, command]), [[
      path,
      4,
      "signet hook session-start",
    ]]);
    await applyPlan(realOs, plan);
    assertStringIncludes(await Deno.readTextFile(path), "signet hook session-start -H");
    await install({ ...request, replaceSignetCli: true });
    const replaced = await Deno.readTextFile(path);
    assert(!replaced.includes("signet hook session-start -H"), replaced);
    assertStringIncludes(replaced, '"lint"');
    await uninstall(request);
    assertEquals(await Deno.readTextFile(path), text);
  }));

Deno.test("planInstall() after the user's edits keeps them for a later uninstall, and the first backup", () =>
  withHome({}, async (home) => {
    const config = `${home}/.pyagent/config.yaml`;
    await install(requestFor(home));
    await Deno.writeTextFile(config, "# new first line\n" + await Deno.readTextFile(config));
    await install(requestFor(home, everyTarget(home, 2).filter(({ kind }) => kind !== "program")));
    await install(
      requestFor(
        home,
        [...everyTarget(home, 2)].map((target) =>
          target.kind === "edit" ? { ...target, edits: target.edits.slice(0, 1) } : target
        ),
      ),
    );
    const backups = await Array.fromAsync(
      Deno.readDir(`${home}/.local/state/signet/pyagent/backups`),
      ({ name }) => name,
    );
    assert(backups.some((name) => name.endsWith("-config.yaml")));
    await uninstall(requestFor(home));
    assertEquals(
      await Deno.readTextFile(config),
      "# new first line\n# mine\nmodel: x   # keep\nhooks:\n  on_session_start: lint\n",
    );
    assertEquals((await treeOf(home))[".local"], undefined);
  }));
