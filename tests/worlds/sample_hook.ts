/** The smallest harness there can be: what the process tests and the bench run. */
import { hookMain } from "../../hooks/main.ts";
import type { HookProfile } from "../../hooks/profile.ts";

const profile: HookProfile = {
  id: "sample",
  runtimePath: "legacy",
  events: {
    "session-start": { native: "start", timeoutMs: 5000 },
    "user-prompt-submit": { native: "prompt", timeoutMs: 4000 },
    "session-end": { native: "end", timeoutMs: 10_000 },
    "pre-compaction": { native: "pre", timeoutMs: 3000 },
    "compaction-complete": { native: "post", timeoutMs: 3000 },
    "checkpoint": { native: "turn", timeoutMs: 3000 },
  },
  maxInject: 9000,
  transcript: "claude-code",
  render: (_event, text) => text,
  // A test can ask for another kind of harness.
  ...JSON.parse(Deno.env.get("SAMPLE_PROFILE") ?? "{}"),
};

// Detached drains tell their process ids, so that a test can end them.
const pids = Deno.env.get("SAMPLE_PIDS");
if (pids !== undefined && Deno.args.includes("drain")) {
  Deno.writeTextFileSync(pids, `${Deno.pid}\n`, { append: true });
}

await hookMain(profile, Deno.args);
