import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { applyEdits, type Edited, readConfig, removeEdits } from "./config.ts";
import type { Edit, Format, Json } from "./edit.ts";
import { isMap } from "./json_value.ts";
import { splicesBetween, undoSplices } from "./text/rebase.ts";
import { LARGE } from "./sections/sections.ts";
import { splice } from "./text/splice.ts";
import { ConfigError } from "./tree.ts";
import { DEEP } from "../testing/deep.ts";
import { SEED, SEEDED } from "../testing/seed.ts";
import { randomDoc, write } from "../testing/random_docs.ts";
import { readIndependently, verify } from "../install/verify.ts";

const COMMAND = '"/home/u/bin/signet-x" hook session-start --project "$(pwd)"';
const ours = (value: Json) =>
  value === COMMAND ||
  (isMap(value) && (value.command === COMMAND || value.command === "/home/u/bin/signet-x"));
const EDITS: Edit[] = [
  {
    kind: "item",
    path: ["hooks", "on_session_start"],
    value: { command: COMMAND, timeout: 5 },
    text: COMMAND,
    owns: ours,
  },
  {
    kind: "item",
    path: ["hooks", "on_session_end"],
    value: { command: COMMAND, timeout: 9 },
    text: COMMAND,
    owns: ours,
  },
  {
    kind: "item",
    path: ["groups", "SessionStart"],
    value: { hooks: [{ type: "command", command: COMMAND }] },
    inner: "hooks",
    owns: ours,
  },
  {
    kind: "entry",
    path: ["servers", "signet"],
    value: { command: "/home/u/bin/signet-x", args: ["mcp"], env: {} },
    owns: ours,
  },
  { kind: "default", path: ["settings", "memory", "enabled"], value: true },
];

const RUNS = DEEP ? 20_000 : 40;
const LARGE_RUNS = DEEP ? 2_000 : 6;

function attempt(format: Format, text: string): Edited | undefined {
  try {
    return applyEdits(format, text, EDITS);
  } catch (error) {
    // TOML tables cannot take every shape; a refusal names its place, and nothing is written.
    if (error instanceof ConfigError && format === "toml") return undefined;
    throw error;
  }
}

/** The comments of a text, in order; ours has none. */
function notes(text: string): string[] {
  return text.match(
    /(?:note|TODO: later|it's "quoted"|\{ \[ not: code|a, b = c|at the end|the end|nothing yet)(?=\r?$| \*\/|\r?\n)/gm,
  ) ?? [];
}

function holds(format: Format, text: string): void {
  const before = readConfig(format, text);
  assert(before.kind === "parsed", `does not parse: ${JSON.stringify(before)}`);
  assertEquals(
    plain(before.value ?? {}),
    plain(readIndependently(format, text) ?? {}),
    "both parsers read the same",
  );

  const once = attempt(format, text);
  if (!once) return;
  assertEquals(verify(format, text, once.text, EDITS, { installed: true }), undefined);
  assertEquals(applyEdits(format, once.text, EDITS).text, once.text, "install twice is install once");
  assertEquals(notes(once.text), notes(text), "comments stay");
  assertEquals(once.text.startsWith("\uFEFF"), text.startsWith("\uFEFF"));
  if (text.includes("\r\n")) assert(!/[^\r]\n/.test(once.text), "CRLF stays");
  if (text.trim() !== "" && format !== "json") {
    assertEquals(once.text.endsWith("\n"), text.endsWith("\n"), "the end stays");
  }

  const changes = splicesBetween(text, once.text);
  assertEquals(splice(text, changes), once.text);
  assertEquals(undoSplices(text, changes, once.text), text, "uninstall is the way back");

  if (format !== "json") {
    const mark = format === "yaml" || format === "toml" ? "# theirs" : "// theirs";
    const bom = text.startsWith("\uFEFF") ? 1 : 0;
    const commented = (one: string) => `${one.slice(0, bom)}${mark}\n${one.slice(bom)}\n${mark}\n`;
    assertEquals(
      undoSplices(text, changes, commented(once.text)),
      commented(text),
      "what the user adds stays",
    );
  }

  const byMarks = removeEdits(format, once.text, EDITS, once.made);
  assertEquals(verify(format, once.text, byMarks, EDITS, { installed: false }), undefined);
  assertEquals(notes(byMarks), notes(text), "comments stay without a ledger too");
  assertEquals(removeEdits(format, byMarks, EDITS, once.made), byMarks);
}

/** Without the difference between 0 and -0, and with keys in one order. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(
      value,
      (_, item) =>
        isMap(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => a < b ? -1 : 1)) : item,
    ),
  );
}

/** What once failed, shrunk. */
const FIXED: [Format, string][] = [
  ["yaml", "\uFEFF---\nhooks: null"],
  ["yaml", "# note\r\nhooks: # note\r\n# note\r\n"],
  ["yaml", "'hooks':\n 'on_session_start':\n  'command': |+\n    lint\n    more\n  'timeout': 0"],
  ["yaml", "groups: {SessionStart: []} # note\n"],
  ["yaml", "\uFEFF---\n'hooks':\n 'on_session_start': |+\n   echo one\n   more"],
  ["yaml", "tools:\r\n    x:\r\n        y: z\r\nservers:\r\n    other:\r\n        command: x\r\n"],
  ["json", '{\n  "hooks": {\n    "on_session_start": {\n      "command": "lint"\n    }\n  }\n}\n'],
  ["jsonc", '\uFEFF{"servers": null,}'],
  ["json5", "\uFEFF/* note */ { servers: /* note */ null }"],
  ["json5", '{"groups":{ } }'],
  ["toml", "\uFEFF\n[servers]"],
  ["toml", "\uFEFF# note\r\n\r\n# note\r\n[servers] # note"],
];

Deno.test("applyEdits() and removeEdits() keep other entries in cases that once failed", () => {
  for (const [format, text] of FIXED) holds(format, text);
});

for (const format of ["yaml", "json", "jsonc", "json5", "toml"] as const) {
  Deno.test(`install() and uninstall() keep what is not ours, whatever the ${format} (${RUNS} cases) ${SEEDED}`, () => {
    fc.assert(fc.property(randomDoc, (doc) => holds(format, write(format, doc))), {
      numRuns: RUNS,
      seed: SEED,
    });
  });

  Deno.test(`install() and uninstall() keep what is not ours in a large ${format} file too (${LARGE_RUNS} cases) ${SEEDED}`, () => {
    // One long value makes any document a large one; it comes first, in the middle, or last.
    const long = "x ".repeat(LARGE / 2);
    fc.assert(
      fc.property(randomDoc, fc.nat(8), (doc, at) => {
        const entries = Object.entries(doc.value);
        const value = Object.fromEntries([...entries.slice(0, at), ["long", long], ...entries.slice(at)]);
        holds(format, write(format, { ...doc, value }));
      }),
      { numRuns: LARGE_RUNS, seed: SEED },
    );
  });
}
