import { Hono } from "hono";
import type { MockEnv } from "../http/call.ts";
import type { State } from "../state.ts";

// A fixed list in B: Codex is missing, and a new harness never appears.
const LISTED = [
  { name: "Claude Code", id: "claude-code", path: "~/.claude/settings.json" },
  { name: "OpenCode", id: "opencode", path: "~/.config/opencode/AGENTS.md" },
  { name: "OpenClaw", id: "openclaw", path: "~/.openclaw/openclaw.json" },
  { name: "Gemini", id: "gemini", path: "~/.gemini/settings.json" },
];

export function harnesses(state: State): Hono<MockEnv> {
  const app = new Hono<MockEnv>();

  app.get("/api/harnesses", (c) =>
    c.json({
      harnesses: LISTED.map((one) => ({
        ...one,
        exists: state.heard.has(one.id),
        lastSeen: state.heard.get(one.id) ?? null,
      })),
    }));

  app.post(
    "/api/harnesses/regenerate",
    (c) => c.json({ success: false, error: "Regeneration script not found" }, 404),
  );

  return app;
}
