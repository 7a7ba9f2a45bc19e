import { assert } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { denoDirs } from "../deno_dirs.ts";
import { bundle } from "./bundle.ts";
import { COMMAND_IMPORTS } from "./bundle_connector.ts";

const ROOT = fromFileUrl(new URL("../../..", import.meta.url));

/** The files that a file of a bundle imports, with what these import, except on demand. */
function loaded(files: ReadonlyMap<string, string>, ...entries: string[]): Set<string> {
  const all = new Set(entries);
  for (const name of all) {
    const text = files.get(name);
    assert(text !== undefined, `there is no ${name}`);
    for (const [, file = ""] of text.matchAll(/^(?:import|export) (?:[^"'()]*? from )?"\.\/([\w.]+)";/gm)) {
      if (files.has(file)) all.add(file);
    }
  }
  return all;
}

// Each file takes time to load; see hooks/common.ts.
Deno.test("the hooks of signet-connect load few files", async () => {
  const { npmCache } = await denoDirs();
  const files = await bundle(ROOT, "connectors/connect/main.ts", npmCache, { external: COMMAND_IMPORTS });
  const harness = [...files].find(([, text]) => text.includes('id: "claude-code"'))?.[0] ?? "";
  const hooks: [limit: number, entries: string[]][] = [
    [9, ["event_hook_1.js"]],
    [10, ["event_hook_1.js", "quiet_turn_1.js"]],
    [13, ["event_hook_1.js", "quiet_turn_1.js", "turn_1.js"]],
    [9, ["hook_1.js"]],
    [11, ["hook_1.js", "is_free_1.js"]],
    [13, ["hook_1.js", "is_free_1.js", "enforce_locks_1.js"]],
    [13, ["hook_1.js", "record_writes_1.js"]],
  ];
  for (const [limit, entries] of hooks) {
    const list = [...loaded(files, "main.js", harness, ...entries)];
    assert(list.length <= limit, `${entries.join(" and ")}: ${list.length} files, limit ${limit}: ${list}`);
  }
});
