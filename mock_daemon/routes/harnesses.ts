import { Hono } from "hono";
import type { MockEnv } from "../http/call.ts";
import type { State } from "../state.ts";

// The real daemon has this fixed list: Codex is missing, and new harnesses never appear.
const LISTED = [
  { name: "Claude Code", id: "claude-code", path: "~/.claude/settings.json" },
  { name: "OpenCode", id: "opencode", path: "~/.config/opencode/AGENTS.md" },
  { name: "OpenClaw", id: "openclaw", path: "~/.openclaw/openclaw.json" },
  { name: "Gemini CLI", id: "gemini", path: "~/.gemini/settings.json" },
];

export function harnesses(state: State): Hono<MockEnv> {
  const app = new Hono<MockEnv>();

  app.get("/api/harnesses", (c) =>
    c.json({
      harnesses: LISTED.filter(({ id }) => state.profile.fullHealth || id !== "gemini").map((harness) => ({
        ...harness,
        exists: state.lastSeen.has(harness.id),
        lastSeen: state.lastSeen.get(harness.id) ?? null,
      })),
    }));

  app.post(
    "/api/harnesses/regenerate",
    (c) => c.json({ success: false, error: "Regeneration script not found" }, 404),
  );

  return app;
}
