import type { Json } from "../edit/edit.ts";
import { isMap } from "../edit/json_value.ts";
import type { Target } from "../harness.ts";
import type { PlanInput } from "../install/plan/plan.ts";
import { ScratchHome } from "./scratch_home.ts";

const PROGRAM = "/home/u/.local/bin/signet-pyagent";
export const COMMAND = `"${PROGRAM}" hook session-start --project "$(pwd)"`;

export function owns(value: Json): boolean {
  const command = isMap(value) ? value.command : value;
  return typeof command === "string" && (command === PROGRAM || command.startsWith(`"${PROGRAM}" hook `));
}

/** One target of each kind, as an install for PyAgent has them. */
export function everyTarget(home: string, version = 1): Target[] {
  return [
    {
      kind: "edit",
      path: `${home}/.pyagent/config.yaml`,
      format: "yaml",
      edits: [
        {
          kind: "item",
          path: ["hooks", "on_session_start"],
          value: { command: COMMAND, timeout: 4 + version },
          text: COMMAND,
          owns,
        },
        {
          kind: "entry",
          path: ["tools", "mcp_servers", "signet"],
          value: { command: PROGRAM, args: ["mcp"] },
          owns,
        },
      ],
    },
    {
      kind: "block",
      path: `${home}/.pyagent/identity/AGENTS.md`,
      text: `Signet keeps this agent's memory (${version}).`,
    },
    {
      kind: "file",
      path: `${home}/.pyagent/plugin.js`,
      text: `// Signet memory for tests (${version}), written by signet-pyagent.\n`,
      owns: (text) => text.startsWith("// Signet memory for tests"),
    },
    {
      kind: "secret",
      path: `${home}/.config/signet/connectors/pyagent.json`,
      text: `{"url":"http://127.0.0.1:3850","apiKey":"sk-very-secret-${version}"}\n`,
    },
    { kind: "link", path: `${home}/.pyagent/skills/recall`, to: `${home}/.agents/skills/recall-${version}` },
    {
      kind: "program",
      path: `${home}/.local/bin/signet-pyagent`,
      from: `${home}/download/signet-pyagent-${version}`,
    },
  ];
}

export function requestFor(home: string, targets: readonly Target[] = everyTarget(home)): PlanInput {
  return { harness: "pyagent", stateDir: `${home}/.local/state/signet/pyagent`, targets };
}

/** A home in use, with a space and a quote in its path. */
export async function scratchHome(files: Record<string, string> = {}): Promise<string> {
  const home = new ScratchHome(await ScratchHome.makeRoot());
  const all = {
    ".pyagent/config.yaml": "# mine\nmodel: x   # keep\nhooks:\n  on_session_start: lint\n",
    ".pyagent/identity/AGENTS.md": "# My agent\n",
    "download/signet-pyagent-1": "#!/bin/sh\necho 1\n",
    "download/signet-pyagent-2": "#!/bin/sh\necho 2\n",
    ...files,
  };
  for (const [path, text] of Object.entries(all)) await home.write(path, text, 0o640);
  return home.path;
}

export async function withHome(
  files: Record<string, string>,
  body: (home: string) => Promise<void>,
): Promise<void> {
  const home = await scratchHome(files);
  try {
    await body(home);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}
