// Signet memory for OpenClaw, written by signet-openclaw.
// `signet-openclaw uninstall` removes it; an install writes it again.
import { quiet, Session, textOf, transcriptOf } from "../base/plugin/bridge.js";

const SETTINGS = { argv: ["signet-openclaw", "hook", "EVENT"], timeouts: {}, checkpointEvery: 10 }; // signet:settings

// OpenClaw loads this module twice in one process: session events reach one
// copy, prompt hooks the other. What both know is kept outside of them.
const shared = globalThis[Symbol.for("signet-connector")] ??= {
  lastStart: 0,
  sessions: new Map(),
  startedAt: new Map(),
  keys: new Map(),
  parents: new Map(),
};
const { sessions, startedAt, keys, parents } = shared;

/** The time, and never the same twice. */
function newStart() {
  return shared.lastStart = Math.max(Date.now(), shared.lastStart + 1);
}

const MOST_TURNS = 2000;

/** The daemon keeps what follows a reason that it does not know for a turn. */
const END_REASON = {
  shutdown: "session_shutdown",
  restart: "session_shutdown",
  deleted: "session.deleted",
  idle: "stale-session-sweep",
  daily: "stale-session-sweep",
};

function open(ctx) {
  const started = startedAt.get(ctx.sessionId);
  // `/new` may keep the id, and what follows is another session all the same.
  const key = started === undefined ? ctx.sessionId : `${ctx.sessionId}-${started}`;
  if (ctx.sessionKey) keys.set(ctx.sessionKey, key);
  const it = new Session(SETTINGS, {
    session_id: key,
    cwd: ctx.workspaceDir,
    parent_session_key: keys.get(parents.get(ctx.sessionKey)),
  });
  return { it, turns: undefined, seen: 0, asked: false, compacted: false };
}

function entryOf(ctx) {
  const known = sessions.get(ctx.sessionId);
  if (known) return known;
  const entry = open(ctx);
  sessions.set(ctx.sessionId, entry);
  return entry;
}

function turnsOf(messages) {
  return messages.map((message) => ({ role: message?.role, text: textOf(message?.content) }));
}

/** A compaction takes old messages out of the history; the transcript keeps them. */
function remember(entry, messages) {
  const lastPrompt = messages.findLastIndex((message) => message?.role === "user");
  const fresh = messages.slice(Math.min(entry.seen, Math.max(lastPrompt, 0)));
  entry.turns = [...entry.turns ?? [], ...turnsOf(fresh)].slice(-MOST_TURNS);
  entry.asked = false;
}

async function beforePrompt(event, ctx) {
  const entry = entryOf(ctx);
  const messages = event.messages ?? [];
  entry.turns ??= turnsOf(messages);
  entry.seen = messages.length;
  entry.asked = true;
  const known = await entry.it.start(messages.length > 0 ? "resume" : "startup");
  if (entry.compacted) {
    entry.compacted = false;
    await entry.it.compacted(messages.findLast((message) => message?.role === "compactionSummary")?.summary);
  }
  const prompt = event.currentUserMessage ?? event.prompt;
  // Only what someone said is worth a search: not a heartbeat, not a schedule.
  const said = (ctx.trigger === undefined || ctx.trigger === "user") && prompt?.trim();
  const lastReply = entry.turns.findLast(({ role }) => role === "assistant")?.text;
  const recalled = said ? await entry.it.prompt(prompt, lastReply) : "";
  return {
    ...(known && { appendSystemContext: known }),
    ...(recalled && { prependContext: recalled }),
  };
}

async function afterRun(event, ctx) {
  const entry = entryOf(ctx);
  remember(entry, event.messages ?? []);
  // `openclaw agent --local` has no session events: each turn may be the last.
  const local = !startedAt.has(ctx.sessionId);
  const due = entry.it.turnIsDue();
  if (local || due) await entry.it.checkpoint(transcriptOf(entry.turns));
}

/** `/new` in the middle of a run: its prompt and what was said since are in no `agent_end` yet. */
function beforeReset(event, ctx) {
  const entry = sessions.get(ctx.sessionId);
  if (entry?.asked) remember(entry, event.messages ?? []);
}

async function ended(event) {
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
  await entry.it.end(reason, transcriptOf(entry.turns ?? []));
}

const HANDLERS = {
  session_start: (event) => {
    if (!sessions.has(event.sessionId)) startedAt.set(event.sessionId, newStart());
  },
  subagent_spawned: (event, ctx) => void parents.set(event.childSessionKey, ctx.requesterSessionKey),
  before_prompt_build: beforePrompt,
  agent_end: afterRun,
  // It only observes, so what the daemon answers has no place to go.
  before_compaction: async (_, ctx) => void await entryOf(ctx).it.compacting("auto"),
  // The summary is in no event; it stands in the next prompt's messages.
  after_compaction: (_, ctx) => void (entryOf(ctx).compacted = true),
  before_reset: beforeReset,
  session_end: ended,
};

export default {
  id: "signet-connector",
  name: "Signet",
  description: "Long-term memory, kept by Signet.",
  register(api) {
    for (const [name, handler] of Object.entries(HANDLERS)) api.on(name, quiet(handler));
  },
};
