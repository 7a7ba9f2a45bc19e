import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { install, type Installed, readConfig, uninstall } from "./config.ts";
import type { Edit, Format, Json } from "./edit.ts";
import { isMap } from "./json_value.ts";
import { splicesBetween, undone } from "./rebase.ts";
import { splice } from "./splice.ts";
import { ConfigError } from "./tree.ts";
import { type RandomDoc, randomDoc, write } from "../testing/random_docs.ts";
import { readIndependently, verify } from "../verify.ts";

const COMMAND = '"/home/u/bin/signet-x" hook session-start --project "$(pwd)"';
const ours = (value: Json) =>
  value === COMMAND ||
  (isMap(value) && (value.command === COMMAND || value.command === "/home/u/bin/signet-x"));
export const EDITS: Edit[] = [
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

const DEEP = Deno.env.get("SIGNET_TEST_DEEP") === "1";
const RUNS = DEEP ? 20_000 : 500;
const SEED = Number(Deno.env.get("SIGNET_TEST_SEED") ?? Date.now() % 2 ** 31);

function attempt(format: Format, text: string): Installed | undefined {
  try {
    return install(format, text, EDITS);
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

export function holds(format: Format, doc: RandomDoc): void {
  const text = write(format, doc);
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
  assertEquals(install(format, once.text, EDITS).text, once.text, "install twice is install once");
  assertEquals(notes(once.text), notes(text), "comments stay");
  assertEquals(once.text.startsWith("\uFEFF"), text.startsWith("\uFEFF"));
  if (text.includes("\r\n")) assert(!/[^\r]\n/.test(once.text), "CRLF stays");
  if (text.trim() !== "" && format !== "json") {
    assertEquals(once.text.endsWith("\n"), text.endsWith("\n"), "the end stays");
  }

  const changes = splicesBetween(text, once.text);
  assertEquals(splice(text, changes), once.text);
  assertEquals(undone(text, changes, once.text), text, "uninstall is the way back");

  const byMarks = uninstall(format, once.text, EDITS, once.made);
  assertEquals(verify(format, once.text, byMarks, EDITS, { installed: false }), undefined);
  assertEquals(notes(byMarks), notes(text), "comments stay without a ledger too");
  assertEquals(uninstall(format, byMarks, EDITS, once.made), byMarks);
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

for (const format of ["yaml", "json", "jsonc", "json5", "toml"] as const) {
  Deno.test(`install() and uninstall() keep what is not ours, whatever the ${format} (${RUNS} cases, seed ${SEED})`, () => {
    fc.assert(fc.property(randomDoc, (doc) => holds(format, doc)), { numRuns: RUNS, seed: SEED });
  });
}
