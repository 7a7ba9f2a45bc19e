import { basename } from "@std/path";
import * as kiloRun from "../harnesses/kilo.ts";
import * as ompRun from "../harnesses/omp.ts";
import * as openclawRun from "../harnesses/openclaw.ts";
import * as opencodeRun from "../harnesses/opencode.ts";
import * as piRun from "../harnesses/pi.ts";
import type { Scenario } from "../stage.ts";
import {
  BEFORE,
  editing,
  patch,
  shellElsewhere,
  shellTools,
  type ToolCall,
  writing,
} from "./editing_tools.ts";
import { type LockKit, withLocks } from "./locks.ts";
import type { MeshKit } from "./mesh_kit.ts";
import { kiloKit, ompKit, opencodeKit, piKit } from "./mesh_kits.ts";

const readFirst = (filePath: string): ToolCall => ({ name: "read", input: { filePath } });

const opencode: LockKit = {
  ...opencodeKit,
  tools: [
    ...writing("write", (filePath) => ({ filePath, content: "changed\n" }), readFirst),
    editing("edit", (filePath) => ({ filePath, oldString: "line one", newString: "line 1" }), readFirst),
    ...shellTools(opencodeKit.shell),
  ],
};

/** Kilo has the tools of OpenCode. */
const kilo: LockKit = { ...kiloKit, tools: opencode.tools };

const WRITE = writing("write", (path) => ({ path, content: "changed\n" }));
const EDIT = editing("edit", (path) => ({ path, edits: [{ oldText: "line one", newText: "line 1" }] }));

const pi: LockKit = { ...piKit, tools: [...WRITE, EDIT, ...shellTools(piKit.shell)] };

const openclawShell: MeshKit["shell"] = (_request, command) => ({ name: "exec", input: { command } });

const openclaw: LockKit = {
  async furnish(stage) {
    const config = openclawRun.config(stage, 18_789, `, workspace: '${stage.project}'`);
    await stage.userFile(".openclaw/openclaw.json", config);
  },
  installFlags: [],
  ask: (stage, prompt) => openclawRun.ask(stage, prompt, "--local"),
  tools: [
    ...WRITE,
    EDIT,
    {
      title: "apply_patch",
      before: BEFORE,
      call: (path, { raw }) =>
        raw.includes('"name":"apply_patch"')
          ? { name: "apply_patch", input: { input: patch(path) } }
          : undefined,
    },
    // What a hidden write changed is shown with the next prompt: OpenClaw takes no text after a tool.
    ...shellTools(openclawShell).filter(({ hidden }) => !hidden),
  ],
};

const readLines = (path: string): ToolCall => ({ name: "read", input: { path } });

/** oh-my-pi has the tools of pi, with another `edit`. */
const omp: LockKit = {
  ...ompKit,
  tools: [
    ...WRITE,
    ...shellTools(piKit.shell),
    {
      title: "edit by lines",
      before: BEFORE,
      first: readLines,
      call(path, { raw }) {
        // The tool wants the header of the file as `read` showed it.
        const shown = [...raw.matchAll(/\[[^[\]"\s]+#[0-9A-Fa-f]{4}\]/g)].map(([header]) => header);
        const header = shown.findLast((text) => text.includes(basename(path))) ?? `[${path}#0000]`;
        return { name: "edit", input: { input: `${header}\nPUT 1.=1:\n+line 1\n` } };
      },
    },
    shellElsewhere("bash", (command, cwd) => ({ command, cwd })),
  ],
};

/** The other forms of oh-my-pi's `edit`, which it chooses by the model. */
const OMP_EDITS: Record<string, (path: string) => ToolCall["input"]> = {
  apply_patch: (path) => ({ input: patch(path) }),
  patch: (path) => ({ path, edits: [{ op: "update", diff: "@@\n-line one\n+line 1\n" }] }),
  replace: (path) => ({ path, old_string: "line one", new_string: "line 1" }),
  sloppy: (path) => ({
    input: `<SM:EDIT path="${path}">\n<SM:FIND>\nline one\n</SM:FIND>\n` +
      "<SM:PUT>\nline 1\n</SM:PUT>\n</SM:EDIT>\n",
  }),
};

function ompEdit(form: string, input: (path: string) => ToolCall["input"]): Scenario {
  const kit: LockKit = {
    ...ompKit,
    ask: (stage, prompt) => ompRun.askWith(stage, { PI_EDIT_VARIANT: form }, prompt),
    tools: [{ ...editing("edit", input, readLines), title: `edit in the form ${form}` }],
  };
  return withLocks({ ...ompRun.scenario, name: `omp with ${form}` }, kit);
}

/** The harnesses with a plugin that `deno task e2e --locks` plays. */
export const PLUGIN_LOCKS: readonly Scenario[] = [
  withLocks(opencodeRun.scenario, opencode),
  withLocks(openclawRun.scenario, openclaw),
  withLocks(piRun.scenario, pi),
  withLocks(kiloRun.scenario, kilo),
  withLocks(ompRun.scenario, omp),
  ...Object.entries(OMP_EDITS).map(([form, input]) => ompEdit(form, input)),
];
