/** OpenCode's hooks, with more time than they need on any machine. */
import { opencode } from "../../../connectors/opencode/harness.ts";
import { HANG_MS } from "../../../connectors/base/testing/until.ts";
import { hookMain } from "../../../hooks/main.ts";

const { agents } = opencode;
if (agents === undefined) throw new Error("OpenCode does not work with other agents.");
const events = Object.fromEntries(
  Object.entries(agents.events).map(([name, event]) => [name, { ...event, timeoutMs: HANG_MS }]),
);
const limits = { stdinMs: HANG_MS, durableStdinMs: HANG_MS, watchdogMs: HANG_MS };
await hookMain({ ...opencode, agents: { ...agents, events } }, Deno.args, limits);
