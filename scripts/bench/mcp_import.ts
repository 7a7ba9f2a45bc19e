// Loads what `mcp` loads, and does nothing: the part of its start that is the SDK's.
const [{ mcpMain }] = await Promise.all([
  import("../../connectors/base/mcp/main.ts"),
  import("../../hooks/daemon/settings.ts"),
]);
Deno.exit(typeof mcpMain === "function" ? 0 : 1);
