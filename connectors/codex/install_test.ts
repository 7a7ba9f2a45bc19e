import { assertEquals, assertStringIncludes } from "@std/assert";
import { applyEdits, readConfig, removeEdits } from "../base/edit/config.ts";
import { type PlaceholderOptions, placeholderSite } from "../base/site/placeholder_site.ts";
import { codex } from "./harness.ts";

const PROGRAM = "/home/u/.local/bin/signet-codex";
const HOOKS = "/home/u/.codex/hooks.json";
const CONFIG = "/home/u/.codex/config.toml";

/** The files after an install. */
function installed(files: Record<string, string>, options: PlaceholderOptions = {}): Record<string, string> {
  const after = { ...files };
  for (const target of codex.targets(placeholderSite(codex, { program: PROGRAM, ...options, files }))) {
    if (target.kind === "edit") {
      after[target.path] = applyEdits(target.format, files[target.path], target.edits).text;
    }
  }
  return after;
}

const COMMENTED = `# mine
model = "gpt-5.4" # the one I like

[mcp_servers.notes] # my server
command = "notes"
`;

Deno.test("codex: config.toml keeps its comments and gets one table at its end", () => {
  const text = installed({ [CONFIG]: COMMENTED })[CONFIG] ?? "";
  assertEquals(text.startsWith(COMMENTED.trimEnd()), true, text);
  assertStringIncludes(text, "[mcp_servers.signet]");
});

// Codex 0.166 does not start on a table that extends an inline one.
Deno.test("codex: an inline mcp_servers is extended in place", () => {
  const text = installed({ [CONFIG]: 'mcp_servers = { notes = { command = "notes" } }\n' })[CONFIG] ?? "";
  assertEquals(text.includes("[mcp_servers"), false, text);
  const reading = readConfig("toml", text);
  assertStringIncludes(JSON.stringify(reading), '"signet":{"command":"/home/u/.local/bin/signet-codex"');
});

Deno.test("codex: an install without the flag keeps existing trust, and an uninstall removes it", () => {
  const trusted = installed({ [CONFIG]: COMMENTED }, { flags: { trustHooks: true } });
  assertEquals((trusted[CONFIG] ?? "").split("trusted_hash").length - 1, 4);
  assertEquals(installed(trusted), trusted);
  const config = codex.targets(placeholderSite(codex, { program: PROGRAM, files: trusted })).find((
    { path },
  ) => path === CONFIG);
  const edits = config?.kind === "edit" ? config.edits : [];
  assertEquals(removeEdits("toml", trusted[CONFIG] ?? "", edits).includes("hash"), false);
});

Deno.test("codex: a record for a different definition does not count as trust", () => {
  const files = installed({}, { flags: { trustHooks: true, mcp: false } });
  const stale = { ...files, [CONFIG]: (files[CONFIG] ?? "").replaceAll(/sha256:\w{4}/g, "sha256:0000") };
  const targets = codex.targets(
    placeholderSite(codex, { program: PROGRAM, files: stale, flags: { mcp: false } }),
  );
  assertEquals(targets.map(({ path }) => path), [HOOKS]);
});

Deno.test("codex: hooks.json has no top-level key that Codex refuses", () => {
  const value: object = JSON.parse(installed({})[HOOKS] ?? "");
  assertEquals(Object.keys(value), ["hooks"]);
});

Deno.test("codex: after an upgrade of Codex, --trust-hooks replaces the records of the older definition", () => {
  const flags = { trustHooks: true, mcp: false };
  const old = installed({}, { flags, version: "0.140.0" });
  const record = (text = "") => /session_start:0:0"\]\ntrusted_hash = "([^"]+)"/.exec(text)?.[1];
  const [target] = codex.targets(
    placeholderSite(codex, { program: PROGRAM, flags, files: old, version: "0.166.0" }),
  ).filter(({ path }) => path === CONFIG);
  assertEquals(target?.kind, "edit");
  if (target?.kind !== "edit") return;
  const { text, conflicts } = applyEdits("toml", old[CONFIG], target.edits);
  assertEquals(conflicts, []);
  const fresh = installed({}, { flags, version: "0.166.0" });
  assertEquals(record(text), record(fresh[CONFIG]));
  assertEquals(record(text) === record(old[CONFIG]), false);
});
