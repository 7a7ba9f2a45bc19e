import type { Board, BoardLock, BoardSession } from "../agents/board/board.ts";
import type { BoardMessage } from "../agents/board/recent_messages.ts";

/** The time at which the sample board is looked at. */
export const SAMPLE_NOW = Date.parse("2026-11-17T12:00:00Z");
const MINUTE = 60_000;

export function sampleSession(change: Partial<BoardSession> = {}): BoardSession {
  return {
    key: "3f9a0000",
    harness: "codex",
    agentId: "work",
    project: "/home/u/app",
    handle: "codex-3f9a",
    here: true,
    machine: "laptop",
    status: "idle",
    since: SAMPLE_NOW - 5_000,
    seenAt: SAMPLE_NOW - 5_000,
    startedAt: SAMPLE_NOW - 180 * MINUTE,
    unread: 0,
    held: 0,
    wake: "none",
    ...change,
  };
}

export function sampleLock(change: Partial<BoardLock> = {}): BoardLock {
  return {
    token: "token-1",
    path: "/home/u/app/src/auth.ts",
    scope: "file",
    kind: "manual",
    reach: "machine",
    holder: "claude-aaaa",
    harness: "claude-code",
    session: "aaaa1111",
    agentId: "work",
    machine: "laptop",
    intent: "rename the fields",
    since: SAMPLE_NOW - 3 * MINUTE,
    until: SAMPLE_NOW + 7 * MINUTE,
    ...change,
  };
}

export function sampleBoardMessage(change: Partial<BoardMessage> = {}): BoardMessage {
  return {
    id: "m_01ARZ3NDEKTSV4RRFFQ69G5FAV",
    at: SAMPLE_NOW - 2 * MINUTE,
    kind: "message",
    priority: 3,
    from: { key: "3f9a0000", name: "codex-3f9a", agentId: "work" },
    to: [{ key: "aaaa1111", name: "claude-aaaa" }],
    wants: "reply",
    state: "waiting",
    text: "Which tests fail on your branch?\nI see two of them.",
    ...change,
  };
}

/** Three agents of which each does something else, two locks and two messages. */
export function sampleBoard(): Board {
  const question = sampleBoardMessage();
  const note = sampleBoardMessage({
    id: "m_01ARZ3NDEKTSV4RRFFQ69G5FAW",
    at: SAMPLE_NOW - MINUTE,
    from: { name: "a person", agentId: "default" },
    to: [{ key: "g0000001", name: "gemini-g000" }],
    wants: "none",
    state: "seen",
    text: "main is frozen until six",
  });
  return {
    sessions: [
      sampleSession({
        key: "aaaa1111",
        harness: "claude-code",
        handle: "claude-aaaa",
        status: "working",
        since: SAMPLE_NOW - 125_000,
        tool: "Edit",
        file: "/home/u/app/src/auth.ts",
        unread: 1,
        wake: "hook",
        terminal: { program: "tmux", target: "%3" },
        lastMessage: question,
      }),
      sampleSession({
        lastMessage: question,
        waitsFor: { kind: "answer", id: question.id, from: "claude-aaaa" },
      }),
      sampleSession({
        key: "g0000001",
        harness: "gemini",
        handle: "gemini-g000",
        project: "/home/u/docs",
        status: "waiting",
        since: SAMPLE_NOW - 40 * MINUTE,
        tool: "run_shell_command",
        waitsFor: { kind: "user" },
        lastMessage: note,
      }),
      sampleSession({
        key: "beef0001",
        harness: "opencode",
        handle: "opencode-beef",
        project: "/srv/app",
        agentId: "server",
        here: false,
        machine: undefined,
        status: undefined,
        since: undefined,
        startedAt: 0,
        unread: undefined,
        wake: undefined,
      }),
    ],
    locks: [
      sampleLock(),
      sampleLock({
        token: "token-2",
        path: "src/db",
        remote: "git@example.com:team/app.git",
        scope: "tree",
        reach: "announced",
        holder: "codex-3f9a (agent server)",
        session: "elsewhere",
        harness: "codex",
        intent: "",
      }),
    ],
    messages: [question, note],
    statuses: [],
    problems: [],
  };
}
