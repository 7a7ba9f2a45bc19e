import type { Edit, Json } from "../base/edit/edit.ts";
import type { Harness, Site, Target } from "../base/harness.ts";
import { shellCommand } from "../base/hooks_config/hook_command.ts";
import { hookGroups } from "../base/hooks_config/hook_groups.ts";
import { mcpEntry } from "../base/hooks_config/mcp_entry.ts";
import { mcpServer } from "./mcp_server.ts";
import { ORIGINAL_KEYS, originalTables, originalWrapper } from "./original_signet.ts";
import { mayMoveRecords, movedRecords, trustRecords } from "./trust_record.ts";
import { limitsContext } from "./versions.ts";

const INJECTING = ["session-start", "user-prompt-submit", "pre-tool", "post-tool"];

/** hooks.json, and config.toml with the MCP server and the trust records of the hooks. */
export function targets(codex: Harness, site: Site): Target[] {
  const hooksJson = codex.configPath(site);
  const configToml = site.path("config.toml");
  const hooks = hookEdits(codex, site);
  const config = [
    ...mcpEntry(codex, site, ["mcp_servers"], (call) => mcpServer(site, call)),
    ...trustRecords(codex, site, hooks, configToml),
  ];
  const moves = {
    file: hooksJson,
    entries: (after: Json | undefined) => movedRecords(codex, site, configToml, after),
  };
  const originals = originalTables(site, hooksJson, site.peek(configToml, "toml", ORIGINAL_KEYS));
  return [
    { kind: "edit", path: hooksJson, format: "json", edits: hooks },
    ...(config.length > 0 || originals.length > 0 || mayMoveRecords(codex, site, configToml)
      ? [{ kind: "edit", path: configToml, format: "toml", edits: config, originals, moves } as const]
      : []),
    ...originalWrapper(site),
  ];
}

function hookEdits(codex: Harness, site: Site): Edit[] {
  return hookGroups(codex, site, (event, { timeout }) => {
    const command = shellCommand(site.host, site.argv("hook", event));
    return {
      command,
      ...(site.host.os === "windows" ? { commandWindows: command } : {}),
      timeout,
      // Codex truncates context at 2,500 tokens; `maxInject` limits it instead.
      ...(INJECTING.includes(event) && limitsContext(site) ? { additionalContextLimit: 0 } : {}),
    };
  });
}
