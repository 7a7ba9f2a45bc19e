// Signet memory for OpenClaw, written by signet-openclaw.
// `signet-openclaw uninstall` removes it; an install writes it again.
import { quiet, Session, textOf, transcriptOf } from "../base/plugin/bridge.js";

const SETTINGS = { argv: ["signet-openclaw", "hook", "EVENT"], timeouts: {}, checkpointEvery: 10 }; // signet:settings

// OpenClaw loads this module twice in one process: session events reach one
// copy, prompt hooks the other. What both know is kept outside of them.
const { sessions, startedAt, keys, parents } = globalThis[Symbol.for("signet-connector")] ??= {
  sessions: new Map(),
  startedAt: new Map(),
  keys: new Map(),
  parents: new Map(),
};

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
  return { it, messages: [] };
}

function entryOf(ctx) {
  const known = sessions.get(ctx.sessionId);
  if (known) return known;
  const entry = open(ctx);
  sessions.set(ctx.sessionId, entry);
  return entry;
}

function turns(messages) {
  return messages.map((message) => ({ role: message?.role, text: textOf(message?.content) }));
}

async function beforePrompt(event, ctx) {
  const { it } = entryOf(ctx);
  const known = await it.start(event.messages?.length ? "resume" : "startup");
  const prompt = event.currentUserMessage ?? event.prompt;
  // Only what someone said is worth a search: not a heartbeat, not a schedule.
  const said = (ctx.trigger === undefined || ctx.trigger === "user") && prompt?.trim();
  const lastReply = turns(event.messages ?? []).findLast(({ role }) => role === "assistant")?.text;
  const recalled = said ? await it.prompt(prompt, lastReply) : "";
  return {
    ...(known && { appendSystemContext: known }),
    ...(recalled && { prependContext: recalled }),
  };
}

async function afterRun(event, ctx) {
  const entry = entryOf(ctx);
  entry.messages = event.messages ?? entry.messages;
  // `openclaw agent --local` has no session events: each turn may be the last.
  const local = !startedAt.has(ctx.sessionId);
  const due = entry.it.turnIsDue();
  if (local || due) await entry.it.checkpoint(transcriptOf(turns(entry.messages)));
}

async function ended(event) {
  const entry = sessions.get(event.sessionId);
  if (!entry) return;
  sessions.delete(event.sessionId);
  startedAt.delete(event.sessionId);
  if (event.reason === "compaction" && event.nextSessionId) {
    sessions.set(event.nextSessionId, entry);
    startedAt.set(event.nextSessionId, Date.now());
    return;
  }
  const reason = END_REASON[event.reason] ?? "session_switch";
  await entry.it.end(reason, transcriptOf(turns(entry.messages)));
}

const HANDLERS = {
  session_start: (event) => {
    if (!sessions.has(event.sessionId)) startedAt.set(event.sessionId, Date.now());
  },
  subagent_spawned: (event, ctx) => void parents.set(event.childSessionKey, ctx.requesterSessionKey),
  before_prompt_build: beforePrompt,
  agent_end: afterRun,
  before_reset: (event, ctx) => {
    const entry = sessions.get(ctx.sessionId);
    if (entry && event.messages?.length) entry.messages = event.messages;
  },
  before_compaction: async (_, ctx) => void await entryOf(ctx).it.compacting("auto"),
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
