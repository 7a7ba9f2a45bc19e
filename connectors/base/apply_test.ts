import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { applyPlan } from "./apply.ts";
import type { Target } from "./harness.ts";
import { realOs } from "./os.ts";
import { planInstall } from "./plan_install.ts";
import { planUninstall } from "./plan_uninstall.ts";
import { showPlan } from "./show.ts";
import { isMap } from "./edit/json_value.ts";
import type { Json } from "./edit/edit.ts";
import { treeOf } from "./testing/tree_of.ts";

const COMMAND = '"/home/u/.local/bin/signet-pyagent" hook session-start --project "$(pwd)"';
const owns = (value: Json) =>
  value === COMMAND ||
  (isMap(value) && (value.command === COMMAND || value.command === "/home/u/.local/bin/signet-pyagent"));

function targets(home: string): Target[] {
  return [
    {
      kind: "edit",
      path: `${home}/.pyagent/config.yaml`,
      format: "yaml",
      edits: [
        {
          kind: "item",
          path: ["hooks", "on_session_start"],
          value: { command: COMMAND, timeout: 5 },
          text: COMMAND,
          owns,
        },
        {
          kind: "entry",
          path: ["tools", "mcp_servers", "signet"],
          value: { command: "/home/u/.local/bin/signet-pyagent", args: ["mcp"] },
          owns,
        },
      ],
    },
    { kind: "block", path: `${home}/.pyagent/identity/AGENTS.md`, text: "Signet keeps this agent's memory." },
    {
      kind: "file",
      path: `${home}/.pyagent/plugin.js`,
      text: "// signet plugin\n",
      owns: (text) => text.startsWith("// signet plugin"),
    },
    {
      kind: "secret",
      path: `${home}/.config/signet/connectors/pyagent.json`,
      text: '{"url":"http://127.0.0.1:3850","apiKey":"sk-very-secret"}\n',
    },
    { kind: "link", path: `${home}/.pyagent/skills/recall`, to: `${home}/.agents/skills/recall` },
    { kind: "program", path: `${home}/.local/bin/signet-pyagent`, from: `${home}/download/signet-pyagent` },
  ];
}

async function withHome(body: (home: string) => Promise<void>): Promise<void> {
  const home = await Deno.makeTempDir({ prefix: "signet home's " });
  try {
    await Deno.mkdir(`${home}/download`);
    await Deno.writeTextFile(`${home}/download/signet-pyagent`, "#!/bin/sh\n", { mode: 0o755 });
    await body(home);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

Deno.test("applyPlan() installs every kind of target, and uninstall gives the home back", () =>
  withHome(async (home) => {
    const config = `${home}/.pyagent/config.yaml`;
    await Deno.mkdir(`${home}/.pyagent/identity`, { recursive: true });
    await Deno.writeTextFile(config, "# mine\nmodel: x   # keep\n", { mode: 0o640 });
    await Deno.writeTextFile(`${home}/.pyagent/identity/AGENTS.md`, "# My agent\n");
    const before = await treeOf(home);
    const request = {
      harness: "pyagent",
      stateDir: `${home}/.local/state/signet/pyagent`,
      targets: targets(home),
    };

    const plan = await planInstall(realOs, request);
    assertEquals(plan.problems, []);
    assertEquals(await treeOf(home), before, "planning writes nothing");
    const shown = showPlan(plan, { home });
    assertStringIncludes(shown, "--- ~/.pyagent/config.yaml\n+++ ~/.pyagent/config.yaml\n@@ -1,2 +1,");
    assertStringIncludes(shown, "+apiKey: [hidden]");
    assert(!shown.includes("very-secret"));

    await applyPlan(realOs, plan);
    const installed = await treeOf(home);
    assertEquals(installed[".pyagent/config.yaml"]?.mode, 0o640);
    assertEquals(installed[".config/signet/connectors/pyagent.json"]?.mode, 0o600);
    assertEquals(installed[".config/signet/connectors"]?.mode, 0o700);
    assertEquals(installed[".local/bin/signet-pyagent"]?.mode, 0o755);
    assertStringIncludes(
      installed[".pyagent/config.yaml"]?.text ?? "",
      "# mine\nmodel: x   # keep\nhooks:\n",
    );
    assertStringIncludes(
      installed[".pyagent/identity/AGENTS.md"]?.text ?? "",
      "# My agent\n\n<!-- SIGNET:START -->\nSignet keeps",
    );

    const again = await planInstall(realOs, request);
    assertEquals(again.changes, []);
    await applyPlan(realOs, again);
    assertEquals(await treeOf(home), installed, "installing twice equals installing once");

    const back = await planUninstall(realOs, request);
    assertEquals(back.warnings, []);
    await applyPlan(realOs, back);
    assertEquals(await treeOf(home), before);
  }));
