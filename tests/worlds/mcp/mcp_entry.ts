import { mcpMain } from "../../../connectors/base/mcp/main.ts";
import { pyagent } from "../../../connectors/pyagent/harness.ts";
import { VERSION } from "../../../hooks/daemon/version.ts";
import { loadSettings } from "../../../hooks/daemon/settings.ts";

// What `signet-pyagent mcp` does, without the rest of the program.
const mode = Deno.args.includes("readonly") ? "readonly" : "write";
await mcpMain({
  settings: loadSettings("pyagent"),
  harness: pyagent,
  binary: "signet-pyagent",
  version: VERSION,
  mode,
});
Deno.exit(0);
