import type { MockServer } from "../../mock_daemon/mod.ts";

const TALK = "User: Which database does Larkspur use?\nAssistant: Postgres, since March.\n".repeat(10);

/** A plausible afternoon: three harnesses, three agents, a fault, and a connector with a mistake. */
export async function play(server: MockServer, tick = () => {}): Promise<void> {
  const post = async (path: string, body: Record<string, unknown>) => {
    tick();
    const response = await fetch(`${server.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-signet-connector-version": "0.1.0" },
      body: JSON.stringify(body),
    });
    await response.body?.cancel();
  };
  const hook = (name: string, body: Record<string, unknown>) =>
    post(`/api/hooks/${name}`, { runtimePath: "legacy", ...body });
  const claude = { harness: "claude-code", agentId: "nicholai/laptop", sessionKey: "5f1c9a7e-22d0" };
  const codex = { harness: "codex", agentId: "nicholai/server", sessionKey: "019a3b44-71c8" };
  const pi = { harness: "pyagent", agentId: "default", sessionKey: "py-1763" };
  await post("/api/memory/remember", {
    content: "We chose Postgres for Larkspur; migrations run on Fridays.",
    tags: "larkspur,db",
  });
  await post("/api/memory/remember", {
    content: "The user prefers tabs, short answers, and being asked before anything is deleted.",
  });
  await post("/api/memory/remember", {
    content: "critical: never force-push to main",
    agentId: "nicholai/laptop",
  });
  await hook("session-start", { ...claude, project: "/home/n/larkspur", source: "startup" });
  await hook("user-prompt-submit", {
    ...claude,
    project: "/home/n/larkspur",
    userMessage: "Which database does Larkspur use?",
  });
  await hook("session-start", { ...codex, project: "/home/n/heron" });
  await hook("user-prompt-submit", {
    ...codex,
    project: "/home/n/heron",
    userMessage: "Fix the flaky retry test",
  });
  await hook("session-start", { ...pi, project: "/home/n/notes" });
  await hook("user-prompt-submit", {
    ...pi,
    session_id: "py-1763",
    userMessage: "Summarise yesterday's notes",
  });
  await hook("recall", { ...claude, query: "deployment day" });
  await hook("pre-compaction", { ...claude, messageCount: 212 });
  await hook("compaction-complete", {
    ...claude,
    project: "/home/n/larkspur",
    summary: "Moved billing to Postgres; two tests left.",
  });
  await hook("session-start", { ...claude, project: "/home/n/larkspur", source: "compact" });
  await hook("session-start", { ...codex, runtimePath: "plugin", project: "/home/n/heron" });
  await fetch(`${server.url}/__mock/script`, {
    method: "POST",
    body: JSON.stringify({ route: "session-end", harness: "codex", status: 503 }),
  }).then((response) => response.body?.cancel());
  await hook("session-end", { ...codex, cwd: "/home/n/heron", transcript: TALK });
  await hook("session-end", { ...codex, cwd: "/home/n/heron", transcript: TALK });
  await hook("remember", { ...pi, content: "Yesterday's notes are in notes/2026-03-01.md" });
  await hook("user-prompt-submit", {
    ...claude,
    project: "/home/n/larkspur",
    userMessage: "Finish the two Larkspur tests",
  });
  await hook("session-end", { ...claude, cwd: "/home/n/larkspur", reason: "exit", transcript: TALK });
}

/** A busy morning before it: more sessions than the lanes can show at once. */
export async function crowd(server: MockServer, tick = () => {}): Promise<void> {
  const names = ["opencode", "gemini", "openclaw", "pyagent"];
  for (let session = 0; session < 9; session++) {
    const common = {
      runtimePath: "legacy",
      harness: names[session % names.length],
      agentId: session % 2 === 0 ? "default" : "nicholai/laptop",
      sessionKey: `${(0x3fa1 + session * 977).toString(16)}-m${session}`,
    };
    for (
      const [event, fields] of [
        ["session-start", { project: "/home/n/wren" }],
        ["user-prompt-submit", { project: "/home/n/wren", userMessage: `Go through module ${session}` }],
        ["session-end", { cwd: "/home/n/wren" }],
      ] as const
    ) {
      tick();
      const response = await fetch(`${server.url}/api/hooks/${event}`, {
        method: "POST",
        body: JSON.stringify({ ...common, ...fields }),
      });
      await response.body?.cancel();
    }
  }
}
