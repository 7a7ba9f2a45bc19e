import { assertEquals } from "@std/assert";
import { defineHarness, type HarnessSpec } from "./define_harness.ts";
import { mcpEntry } from "./hooks_config/mcp_entry.ts";
import { placeholderSite } from "./site/placeholder_site.ts";

const SPEC: HarnessSpec = {
  id: "sample",
  displayName: "Sample",
  timeoutUnit: "s",
  events: {
    "session-start": { native: "Start", timeout: 8 },
    "session-end": { native: "End", timeout: 1.5 },
  },
  limits: { tools: { no: "it has none" } },
  configDir: ({ home }) => `${home}/.sample`,
  configFiles: ["sample.json", "old.json"],
  targets: () => [],
  identity: { file: "AGENTS.md", existing: ["OVERRIDE.md"], rule: "block" },
  notes: () => [],
};
const DIR = "/home/u/.sample";

Deno.test("defineHarness() names the program and its binary after the id, unless the spec does", () => {
  const { binary, programs } = defineHarness(SPEC);
  assertEquals([binary, programs], ["signet-sample", ["sample"]]);
  assertEquals(defineHarness({ ...SPEC, programs: ["smp"] }).programs, ["smp"]);
});

for (const [unit, expected] of [["s", [8000, 1500]], ["ms", [8, 1.5]]] as const) {
  Deno.test(`defineHarness() reads timeouts in ${unit}`, () => {
    const events = Object.values(defineHarness({ ...SPEC, timeoutUnit: unit }).events);
    assertEquals(events.map(({ timeoutMs }) => timeoutMs), [...expected]);
    assertEquals(events.map(({ timeout }) => timeout), [8, 1.5]);
  });
}

Deno.test("defineHarness() supports every feature that has no limit", () => {
  const { tools, ...others } = defineHarness(SPEC).fidelity;
  assertEquals(tools, { no: "it has none" });
  assertEquals(Object.values(others), Array(6).fill("yes"));
});

Deno.test("defineHarness() finds config and identity among the files that exist", () => {
  const harness = defineHarness(SPEC);
  const empty = placeholderSite(harness);
  assertEquals(harness.configPath(empty), `${DIR}/sample.json`);
  assertEquals(harness.identity(empty), { path: `${DIR}/AGENTS.md`, rule: "block" });
  const used = placeholderSite(harness, { files: { [`${DIR}/old.json`]: "", [`${DIR}/OVERRIDE.md`]: "" } });
  assertEquals(harness.configPath(used), `${DIR}/old.json`);
  assertEquals(harness.identity(used)?.path, `${DIR}/OVERRIDE.md`);
});

Deno.test("defineHarness() prints the format of each event, and nothing for an event without one", () => {
  const at = { cwd: "/home/u/proj" };
  const printed = (output: HarnessSpec["output"], event: "session-start" | "session-end", text = "[x]") =>
    defineHarness({ ...SPEC, output }).render({ ...at, event }, text);
  assertEquals(printed(undefined, "session-end"), "[x]");
  assertEquals(printed("line", "session-start"), "[x]\n");
  assertEquals(printed("line", "session-start", ""), "");
  assertEquals(printed({ "session-start": "text" }, "session-end"), "");
  assertEquals(
    printed({ "session-start": "context" }, "session-start"),
    '{"hookSpecificOutput":{"hookEventName":"Start","additionalContext":"[x]"}}',
  );
});

Deno.test("mcpEntry() owns a server by its program, and writes none with --no-mcp", () => {
  const harness = defineHarness(SPEC);
  const [edit] = mcpEntry(harness, placeholderSite(harness), ["servers"]);
  if (edit?.kind !== "entry") throw new Error("no entry");
  assertEquals(edit.path, ["servers", "signet"]);
  assertEquals(edit.value, { command: "/home/u/.local/bin/signet-test", args: ["mcp"] });
  assertEquals(edit.owns({ command: "/opt/signet-sample", args: ["mcp"] }), true);
  assertEquals(edit.owns({ command: ["/opt/signet-sample", "mcp"] }), false);
  assertEquals(edit.owns({ command: "signet-mcp" }), false);
  assertEquals(mcpEntry(harness, placeholderSite(harness, { flags: { mcp: false } }), ["servers"]), []);
});
