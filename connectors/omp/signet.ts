// Signet memory for oh-my-pi, written by signet-omp.
// `signet-omp uninstall` removes it; an install writes it again.
import { quiet } from "../base/plugin/bridge.js";
import { type Context, followSession, type Pi, type Settings } from "../base/plugin/pi_extension.ts";

const SETTINGS: Settings = { argv: ["signet-omp", "hook", "EVENT"], timeouts: {}, checkpointEvery: 10 }; // signet:settings

export default function signet(pi: Pi): void {
  // pi shares oh-my-pi's directory where PI_CODING_AGENT_DIR is set; it has an extension of its own.
  if (pi.pi === undefined) return;
  const { current } = followSession(pi, SETTINGS);

  pi.on(
    "session.compacting",
    quiet(async (_: unknown, ctx: Context) => {
      const guide = await current(ctx).compacting("auto");
      return guide ? { context: [guide] } : undefined;
    }),
  );
}
