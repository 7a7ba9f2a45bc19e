// Signet memory for pi, written by signet-pi.
// `signet-pi uninstall` removes it; an install writes it again.
import { quiet } from "../base/plugin/bridge.js";
import {
  type Context,
  followSession,
  type Pi,
  registerTools,
  type Settings,
} from "../base/plugin/pi_extension.ts";

const SETTINGS: Settings = { argv: ["signet-pi", "hook", "EVENT"], timeouts: {}, checkpointEvery: 10 }; // signet:settings

export default function signet(pi: Pi): void {
  // oh-my-pi shares pi's directory where PI_CODING_AGENT_DIR is set; it has an extension of its own.
  if (pi.pi !== undefined) return;
  const followed = followSession(pi, SETTINGS);

  pi.on(
    "session_before_compact",
    quiet(async (event: { reason?: string }, ctx: Context) => {
      // pi accepts only a complete summary here, so the answer is not used.
      await followed.current(ctx).compacting(event.reason === "manual" ? "manual" : "auto");
    }),
  );

  if (!registerMcpServer(pi)) registerTools(pi, SETTINGS, followed);
}

/** From 0.99 pi has MCP, with all of our tools; without `direct` the model would have to search for them. */
function registerMcpServer(pi: Pi): boolean {
  const [command, ...args] = SETTINGS.mcp ?? [];
  if (!command || !pi.registerMcpServer) return false;
  try {
    pi.registerMcpServer("signet", { command, args, exposure: "direct" });
    return true;
  } catch {
    return false; // another extension has registered a server of this name
  }
}
