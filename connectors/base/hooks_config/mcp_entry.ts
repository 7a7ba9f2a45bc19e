import type { Edit, Json, Path } from "../edit/edit.ts";
import type { Call, Harness, Site } from "../harness.ts";
import { isOurMcp } from "./hook_command.ts";
import { isObject } from "../../../hooks/json.ts";
import { argvOf } from "./hook_groups.ts";

/** Whether a server entry starts our MCP server, whether `command` is the program or the whole command line. */
export function ownsServer(harness: Pick<Harness, "id" | "binary">, server: Json): boolean {
  const commandLine = isObject(server) && Array.isArray(server.command)
    ? server.command.filter((word) => typeof word === "string")
    : argvOf(server);
  return isOurMcp(harness, commandLine);
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
  return [{
    kind: "entry",
    path: [...servers, "signet"],
    value: entry(site.call("mcp")),
    owns: (value) => ownsServer(harness, value),
  }];
}
