// Signet memory for OpenClaw, written by signet-openclaw.
// `signet-openclaw uninstall` removes it; an install writes it again.
import { quiet, Session, textOf, transcriptOf } from "../base/plugin/bridge.js";

const SETTINGS = { argv: ["signet-openclaw", "hook", "EVENT"], timeouts: {}, checkpointEvery: 10 }; // signet:settings

// OpenClaw loads this module twice in one process: session events reach one
// copy, prompt hooks the other. Their shared state is global.
const shared = globalThis[Symbol.for("signet-connector")] ??= {
  lastStart: 0,
  sessions: new Map(),
  startedAt: new Map(),
  keys: new Map(),
  parents: new Map(),
};
const { sessions, startedAt, keys, parents } = shared;

/** The current time, made unique. */
function newStart() {
  return shared.lastStart = Math.max(Date.now(), shared.lastStart + 1);
}

const MAX_TURNS = 2000;

/** The daemon treats an unknown reason as the end of a turn. */
const END_REASON = {
  shutdown: "session_shutdown",
  restart: "session_shutdown",
  deleted: "session.deleted",
  idle: "stale-session-sweep",
  daily: "stale-session-sweep",
};

function open(ctx) {
  const started = startedAt.get(ctx.sessionId);
  // `/new` may keep the id, but starts another session.
  const key = started === undefined ? ctx.sessionId : `${ctx.sessionId}-${started}`;
  if (ctx.sessionKey) keys.set(ctx.sessionKey, key);
  const session = new Session(SETTINGS, {
    session_id: key,
    cwd: ctx.workspaceDir,
    parent_session_key: keys.get(parents.get(ctx.sessionKey)),
  });
  return { session, turns: undefined, seen: 0, running: false, compacted: false };
}

function entryOf(ctx) {
  const existing = sessions.get(ctx.sessionId);
  if (existing) return existing;
  const entry = open(ctx);
  sessions.set(ctx.sessionId, entry);
  return entry;
}

function turnsOf(messages) {
  return messages.map((message) => ({ role: message?.role, text: textOf(message?.content) }));
}

/** Adds the new messages to the transcript, which keeps those that a compaction removes. */
function addTurns(entry, messages) {
  const lastPrompt = messages.findLastIndex((message) => message?.role === "user");
  const fresh = messages.slice(Math.min(entry.seen, Math.max(lastPrompt, 0)));
  entry.turns = [...entry.turns ?? [], ...turnsOf(fresh)].slice(-MAX_TURNS);
  entry.running = false;
}

async function beforePrompt(event, ctx) {
  const entry = entryOf(ctx);
  const messages = event.messages ?? [];
  entry.turns ??= turnsOf(messages);
  entry.seen = messages.length;
  entry.running = true;
  const sessionText = await entry.session.start(messages.length > 0 ? "resume" : "startup");
  if (entry.compacted) {
    entry.compacted = false;
    await entry.session.compacted(
      messages.findLast((message) => message?.role === "compactionSummary")?.summary,
    );
  }
  const prompt = event.currentUserMessage ?? event.prompt;
  // Only a message from a person is searched for: not a heartbeat, not a schedule.
  const fromPerson = (ctx.trigger === undefined || ctx.trigger === "user") && prompt?.trim();
  const lastReply = entry.turns.findLast(({ role }) => role === "assistant")?.text;
  const recalled = fromPerson ? await entry.session.prompt(prompt, lastReply) : "";
  return {
    ...(sessionText && { appendSystemContext: sessionText }),
    ...(recalled && { prependContext: recalled }),
  };
}

async function afterRun(event, ctx) {
  const entry = entryOf(ctx);
  addTurns(entry, event.messages ?? []);
  // `openclaw agent --local` has no session events, so each turn may be the last.
  const local = !startedAt.has(ctx.sessionId);
  const due = entry.session.turnIsDue();
  const transcript = transcriptOf(entry.turns);
  entry.session.keep(transcript);
  if (local || due) await entry.session.checkpoint(transcript);
}

/** On `/new` during a run, no `agent_end` has reported the prompt and the messages since. */
function beforeReset(event, ctx) {
  const entry = sessions.get(ctx.sessionId);
  if (entry?.running) addTurns(entry, event.messages ?? []);
}

async function endSession(event) {
  const entry = sessions.get(event.sessionId);
  sessions.delete(event.sessionId);
  startedAt.delete(event.sessionId);
  if (!entry) return;
  if (event.reason === "compaction" && event.nextSessionId) {
    sessions.set(event.nextSessionId, entry);
    startedAt.set(event.nextSessionId, newStart());
    return;
  }
  keys.delete(event.sessionKey);
  parents.delete(event.sessionKey);
  const reason = END_REASON[event.reason] ?? "session_switch";
  await entry.session.end(reason, transcriptOf(entry.turns ?? []));
}

const HANDLERS = {
  session_start: (event) => {
    if (!sessions.has(event.sessionId)) startedAt.set(event.sessionId, newStart());
  },
  subagent_spawned: (event, ctx) => void parents.set(event.childSessionKey, ctx.requesterSessionKey),
  before_prompt_build: beforePrompt,
  agent_end: afterRun,
  // This event takes no answer.
  before_compaction: async (_, ctx) => void await entryOf(ctx).session.compacting("auto"),
  // No event contains the summary; it is in the messages of the next prompt.
  after_compaction: (_, ctx) => void (entryOf(ctx).compacted = true),
  before_reset: beforeReset,
  session_end: endSession,
};

export default {
  id: "signet-connector",
  name: "Signet",
  description: "Long-term memory, kept by Signet.",
  register(api) {
    for (const [name, handler] of Object.entries(HANDLERS)) api.on(name, quiet(handler));
  },
};
