import { join } from "../../hooks/state/paths.ts";
import type { Edit, Json } from "../base/edit/edit.ts";
import type { Harness, Site } from "../base/harness.ts";
import { mcpEntry } from "../base/hooks_config/mcp_entry.ts";
import { isUsersFile } from "../base/identity/header.ts";
import { ownsOldPlugin } from "./original_signet.ts";

/** Our entries in opencode.json: the plugin, the MCP server, and signet.md if it holds the identity. */
export function configEdits(opencode: Harness, site: Site, plugin: string): Edit[] {
  return [
    listed("plugin", `./${plugin}`, (item) => ownsOldPlugin(site, item)),
    ...mcpEntry(opencode, site, ["mcp"], ({ command, args }) => {
      return { type: "local", command: [command, ...args], enabled: true };
    }),
    ...(site.flags.identity && !readsAgentsMd(site) ? [listed("instructions", site.path("signet.md"))] : []),
  ];
}

/** Our item in a list of the config. */
function listed(list: string, value: string, ownsOther: (item: Json) => boolean = () => false): Edit {
  return { kind: "item", path: [list], value, owns: (item) => item === value || ownsOther(item) };
}

/** OpenCode reads the first of AGENTS.md and ~/.claude/CLAUDE.md: we must hide no file that the user wrote. */
export function readsAgentsMd(site: Site): boolean {
  const paths = [site.path("AGENTS.md"), join(site.host, site.home, ".claude", "CLAUDE.md")];
  // A generated CLAUDE.md has the same text, so hiding it avoids a duplicate.
  return !paths.some((path) => isUsersFile(site, path));
}
