import type { Edit, Format, Json, Path } from "../edit/edit.ts";
import type { Call, Harness, Site, Target } from "../harness.ts";
import { isOurMcp } from "./hook_command.ts";
import { isObject } from "../../../hooks/json.ts";
import { argvOf } from "./hook_groups.ts";

/** The command line of a server whose `command` is a list. */
function listedCommand(server: Json): string[] | undefined {
  if (!isObject(server) || !Array.isArray(server.command)) return undefined;
  return server.command.filter((word) => typeof word === "string");
}

/**
 * Our MCP server under the name `signet` in a table of servers, or nothing with
 * `--no-mcp`; `entry` is the form that this harness reads.
 */
export function mcpEntry(
  harness: Pick<Harness, "id" | "binary">,
  site: Site,
  servers: Path,
  entry: (call: Call) => Json = ({ command, args }) => ({ command, args }),
): Edit[] {
  if (!site.flags.mcp) return [];
  const value = entry(site.call("mcp"));
  // A server is ours only in the form that this harness reads.
  const commandLine = listedCommand(value) ? listedCommand : argvOf;
  return [{
    kind: "entry",
    path: [...servers, "signet"],
    value,
    owns: (server) => isOurMcp(harness, commandLine(server)),
  }];
}

/** The same entry in `mcpServers` of a file that has none of our hooks; no file with `--no-mcp`. */
export function mcpFile(
  harness: Pick<Harness, "id" | "binary">,
  site: Site,
  path: string,
  format: Format,
  entry?: (call: Call) => Json,
): Target[] {
  const edits = mcpEntry(harness, site, ["mcpServers"], entry);
  return edits.length > 0 ? [{ kind: "edit", path, format, edits }] : [];
}
