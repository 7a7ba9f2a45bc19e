/** The smallest harness: what the process tests run. */
import { hookMain } from "../../../hooks/main.ts";
import type { HookProfile } from "../../../hooks/profile.ts";

// A test can ask for another kind of harness.
const { agents: changedAgents, ...changed } = JSON.parse(Deno.env.get("SAMPLE_PROFILE") ?? "{}");

const profile: HookProfile = {
  id: "sample",
  runtimePath: "legacy",
  // A harness that waits long, so that a test can give a hook any budget (SIGNET_FETCH_TIMEOUT).
  events: {
    "session-start": { native: "start", timeoutMs: 120_000 },
    "user-prompt-submit": { native: "prompt", timeoutMs: 120_000 },
    "session-end": { native: "end", timeoutMs: 120_000 },
    "pre-compaction": { native: "pre", timeoutMs: 120_000 },
    "compaction-complete": { native: "post", timeoutMs: 120_000 },
    "checkpoint": { native: "turn", timeoutMs: 120_000 },
  },
  agents: {
    events: {
      "pre-tool": { native: "pre-tool", timeoutMs: 120_000 },
      "post-tool": { native: "post-tool", timeoutMs: 120_000 },
      "turn-end": { native: "turn", timeoutMs: 120_000 },
      "waiting": { native: "note", timeoutMs: 120_000 },
      "wait-for-messages": { native: "turn", timeoutMs: 120_000 },
    },
    tools: {
      Edit: { paths: ["file_path"] },
      Bash: { shell: ["command"] },
      apply_patch: { patch: ["command"] },
    },
    refusal: "permission",
    goOn: "block",
    goOnLimit: 3,
    contextBeforeTool: true,
    wake: (env) => env("SAMPLE_ATTENDED") === "1" ? "hook" : "none",
    ...changedAgents,
  },
  maxInject: 9000,
  transcript: "claude-code",
  render: (_event, text) => text,
  ...changed,
};

// Detached drains record their process ids, so that a test can end them.
const pids = Deno.env.get("SAMPLE_PIDS");
if (pids !== undefined && Deno.args.includes("drain")) {
  Deno.writeTextFileSync(pids, `${Deno.pid}\n`, { append: true });
}

const limits = Deno.env.get("SAMPLE_LIMITS");
await hookMain(profile, Deno.args, limits === undefined ? undefined : JSON.parse(limits));
