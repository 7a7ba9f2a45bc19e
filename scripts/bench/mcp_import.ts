// Loads the modules of `mcp` and exits: the part of its start that the SDK costs.
const [{ mcpMain }] = await Promise.all([
  import("../../connectors/base/mcp/main.ts"),
  import("../../hooks/daemon/settings.ts"),
]);
Deno.exit(typeof mcpMain === "function" ? 0 : 1);
