import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { commentsIn } from "../connectors/base/edit/change/comments.ts";
import { readConfig } from "../connectors/base/edit/config.ts";
import type { Edit, Format, Json } from "../connectors/base/edit/edit.ts";
import { isMap, same } from "../connectors/base/edit/json_value.ts";
import { LARGE } from "../connectors/base/edit/sections/sections.ts";
import { applyPlan } from "../connectors/base/install/apply/apply.ts";
import { planInstall } from "../connectors/base/install/plan/plan_install.ts";
import { planUninstall } from "../connectors/base/install/plan/plan_uninstall.ts";
import { readIndependently, verifyWhole } from "../connectors/base/install/verify.ts";
import { DEEP } from "../connectors/base/testing/deep.ts";
import { MemoryOs } from "../connectors/base/testing/os/memory_os.ts";
import { randomDoc, write } from "../connectors/base/testing/random_docs.ts";
import { USER_EDITS } from "../connectors/base/testing/random_user_edit.ts";
import { SEED, SEEDED, seededRandom } from "../connectors/base/testing/seed.ts";

const ROUNDS = DEEP ? 20_000 : 100;
const FORMATS: readonly Format[] = ["yaml", "toml", "jsonc", "json5", "json"];

const PROGRAM = "/home/u/.local/bin/signet-x";
const COMMAND = `"${PROGRAM}" hook session-start`;
const isOurs = (value: Json) =>
  value === COMMAND || (isMap(value) && (value.command === COMMAND || value.command === PROGRAM));
const EDITS: Edit[] = [
  {
    kind: "item",
    path: ["hooks", "on_session_start"],
    value: { command: COMMAND, timeout: 5 },
    text: COMMAND,
    owns: isOurs,
  },
  { kind: "entry", path: ["servers", "signet"], value: { command: PROGRAM, args: ["mcp"] }, owns: isOurs },
  {
    kind: "entry",
    path: ["model"],
    value: "signet-model",
    replaces: true,
    owns: (value) => value === "signet-model",
  },
];

const HOME = "/home/u";
const STATE = `${HOME}/.local/state/signet/pyagent`;

function modelIn(format: Format, text: string): Json | undefined {
  const reading = readConfig(format, text);
  return reading.kind === "parsed" && isMap(reading.value) ? reading.value.model : undefined;
}

/** What one round did to the user's file, by class; empty if all is well. */
async function round(format: Format, before: string, change: (text: string) => string): Promise<string[]> {
  const os = new MemoryOs();
  const path = `${HOME}/config`;
  os.put(path, before);
  const request = {
    harness: "pyagent",
    stateDir: STATE,
    targets: [{ kind: "edit" as const, path, format, edits: EDITS }],
  };
  const plan = await planInstall(os, request);
  // A place that cannot take our entries is refused before anything is written.
  if (plan.problems.length > 0) return [];
  await applyPlan(os, plan);
  const installed = os.text(path) ?? "";
  const edited = change(installed);
  os.put(path, edited);
  const { plan: done } = await applyPlan(os, await planUninstall(os, request));
  const left = os.text(path) ?? "";
  if (edited === installed) return left === before ? [] : [`not the same bytes: ${JSON.stringify(left)}`];
  const named = done.warnings.some((warning) => warning.startsWith(path));
  if (left === edited && named) return [];
  const wrong: string[] = [];
  try {
    readIndependently(format, edited);
  } catch {
    return [`a file that does not parse was written: ${JSON.stringify(left)}`];
  }
  // Also fails if one of our entries is left at its place. One that the user moved is the user's, as the docs say.
  const lost = verifyWhole(format, edited, left, EDITS, { installed: false });
  if (lost !== undefined) wrong.push(lost);
  // A comment may end up behind another one on its line.
  if (commentsIn(format, edited).some(({ text }) => !left.includes(text))) wrong.push("a comment is lost");
  if (/zz_notes: \|\r?\n {2}text\r?\n$/.test(edited) && !/text\r?\n$/.test(left)) {
    wrong.push("the line break of a | value is lost");
  }
  const was = modelIn(format, before);
  if (
    was !== undefined && was !== null && modelIn(format, edited) === "signet-model" &&
    !same(modelIn(format, left), was)
  ) {
    wrong.push(`the replaced value ${JSON.stringify(was)} did not come back`);
  }
  const backups = [...os.files].filter(([name]) => name.startsWith(`${STATE}/backups/`));
  const isBack = left === before || backups.some(([name]) => os.text(name) === before);
  const byMarks = done.warnings.some((warning) => warning.startsWith("the backups of your files stay"));
  if (byMarks && !isBack) wrong.push("the backup is lost");
  return wrong.map((each) => `${each}: ${JSON.stringify({ before, edited, left })}`);
}

Deno.test(`${ROUNDS} random edits between install and uninstall cost no value, comment or line break ${SEEDED}`, async () => {
  const random = seededRandom();
  const docs = fc.sample(randomDoc, { numRuns: ROUNDS, seed: SEED });
  const edits = Object.entries(USER_EDITS);
  const failed: string[] = [];
  for (const [i, doc] of docs.entries()) {
    const format = FORMATS[i % FORMATS.length] ?? "yaml";
    // One in seven is a large file: it is read and checked section by section.
    const value = i % 7 === 6 ? { ...doc.value, long: "x ".repeat(LARGE / 2) } : doc.value;
    const before = write(format, { ...doc, value });
    const picked = Array.from(
      { length: 1 + Math.floor(random() * 3) },
      () => edits[Math.floor(random() * edits.length)],
    );
    const change = (text: string) =>
      picked.reduce((now, edit) => edit?.[1](now, format, random) ?? now, text);
    const wrong = await round(format, before, change).catch((error) => [`threw ${error.stack}`]);
    failed.push(...wrong.map((each) => `${format}, ${picked.map((edit) => edit?.[0]).join(", ")}: ${each}`));
  }
  assertEquals(failed.slice(0, 5), [], `${failed.length} of ${docs.length}`);
});
