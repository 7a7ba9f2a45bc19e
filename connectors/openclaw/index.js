// Signet memory for OpenClaw, written by signet-openclaw.
// `signet-openclaw uninstall` removes it; an install writes it again.
import { readFileSync, writeFileSync } from "node:fs";
import { Agents } from "../base/plugin/agents_bridge.js";
import { quiet, Session, textOf, transcriptOf } from "../base/plugin/bridge.js";

const SETTINGS = { argv: ["signet-openclaw", "hook", "EVENT"], timeouts: {}, checkpointEvery: 10 }; // signet:settings

// OpenClaw loads this module twice in one process: session events reach one
// copy, prompt hooks the other. Their shared state is global.
const shared = globalThis[Symbol.for("signet-connector")] ??= {
  lastStart: 0,
  sessions: new Map(),
  /** The sessions that a gateway reported. */
  reported: new Set(),
  /** The ids whose session ended in this process. */
  ended: new Set(),
  /** The keys of sessions, by id, where a key is not the id. */
  keyOf: readKeys(),
  keys: new Map(),
  parents: new Map(),
};
const { sessions, reported, ended, keyOf, keys, parents } = shared;

function keysFile() {
  return `${SETTINGS.stateDir}/session_keys.json`;
}

/** A restarted gateway must find the key of a conversation again. */
function readKeys() {
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(keysFile(), "utf8"))));
  } catch {
    return new Map();
  }
}

function setKey(sessionId, key) {
  keyOf.delete(sessionId); // the newest is last
  keyOf.set(sessionId, key);
  if (!SETTINGS.stateDir) return;
  try {
    const recent = Object.fromEntries([...keyOf].slice(-MAX_KEYS));
    writeFileSync(keysFile(), JSON.stringify(recent), { mode: 0o600 });
  } catch {
    // Without it, as after an uninstall, the conversation gets another key after a restart.
  }
}

/** The current time, made unique. */
function newStart() {
  return shared.lastStart = Math.max(Date.now(), shared.lastStart + 1);
}

const agents = new Agents(SETTINGS);

const MAX_TURNS = 2000;
const MAX_KEYS = 200;

/** The daemon treats an unknown reason as the end of a turn. */
const END_REASON = {
  shutdown: "session_shutdown",
  restart: "session_shutdown",
  deleted: "session.deleted",
  idle: "stale-session-sweep",
  daily: "stale-session-sweep",
};

function open(ctx) {
  const key = keyOf.get(ctx.sessionId) ?? ctx.sessionId;
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
  agents.busy(keyOfCall(ctx));
  const warning = await agents.messages(keyOfCall(ctx), ctx.workspaceDir);
  const answer = fromPerson ? await entry.session.prompt(prompt, lastReply) : "";
  const recalled = [warning, answer].filter(Boolean).join("\n\n");
  return {
    ...(sessionText && { appendSystemContext: sessionText }),
    ...(recalled && { prependContext: recalled }),
  };
}

async function afterRun(event, ctx) {
  const entry = entryOf(ctx);
  addTurns(entry, event.messages ?? []);
  // `openclaw agent --local` has no session events, so each turn may be the last.
  const local = !reported.has(ctx.sessionId);
  const due = entry.session.turnIsDue();
  const transcript = transcriptOf(entry.turns);
  entry.session.keep(transcript);
  // Only a gateway is there when a message comes.
  const canWake = !local && shared.system?.requestHeartbeat !== undefined;
  await agents.idle(keyOfCall(ctx), ctx.workspaceDir, canWake && ((text) => ring(ctx, text)));
  if (local || due) await entry.session.checkpoint(transcript);
}

/** Starts a turn in an idle session: a heartbeat, whose prompt hook adds the messages. */
function ring({ agentId, sessionKey }, text) {
  const { system } = shared;
  system.enqueueSystemEvent(text, { agentId, sessionKey });
  // The answer is for nobody in a channel.
  const heartbeat = { target: "none" };
  const reason = "a message from another agent";
  system.requestHeartbeat({ source: "other", intent: "immediate", reason, agentId, sessionKey, heartbeat });
}

/** The key of the session that calls a tool. */
function keyOfCall(ctx) {
  return keyOf.get(ctx.sessionId) ?? ctx.sessionId ?? keys.get(ctx.sessionKey) ?? "";
}

/** OpenClaw refuses the call if this takes too long or throws. */
async function beforeTool(event, ctx) {
  const reason = await agents.refusal(keyOfCall(ctx), ctx.workspaceDir, event.toolName, event.params);
  return reason ? { block: true, blockReason: reason } : undefined;
}

/** On `/new` during a run, no `agent_end` has reported the prompt and the messages since. */
function beforeReset(event, ctx) {
  const entry = sessions.get(ctx.sessionId);
  if (entry?.running) addTurns(entry, event.messages ?? []);
}

async function endSession(event) {
  const entry = sessions.get(event.sessionId);
  sessions.delete(event.sessionId);
  reported.delete(event.sessionId);
  // After a restart the conversation goes on.
  if (event.reason !== "shutdown" && event.reason !== "restart") ended.add(event.sessionId);
  if (!entry) return;
  if (event.reason === "compaction" && event.nextSessionId) {
    sessions.set(event.nextSessionId, entry);
    reported.add(event.nextSessionId);
    setKey(event.nextSessionId, keyOf.get(event.sessionId) ?? event.sessionId);
    return;
  }
  agents.busy(keyOf.get(event.sessionId) ?? event.sessionId);
  keys.delete(event.sessionKey);
  parents.delete(event.sessionKey);
  const reason = END_REASON[event.reason] ?? "session_switch";
  await entry.session.end(reason, transcriptOf(entry.turns ?? []));
}

const HANDLERS = {
  session_start: (event) => {
    if (sessions.has(event.sessionId)) return;
    reported.add(event.sessionId);
    // `/new` may keep the id, but starts another session.
    if (ended.delete(event.sessionId)) setKey(event.sessionId, `${event.sessionId}-${newStart()}`);
  },
  subagent_spawned: (event, ctx) => void parents.set(event.childSessionKey, ctx.requesterSessionKey),
  before_prompt_build: beforePrompt,
  before_tool_call: beforeTool,
  after_tool_call: (event, ctx) => agents.ran(keyOfCall(ctx), ctx.workspaceDir, event.toolName, event.params),
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
    shared.system = api.runtime?.system ?? shared.system;
    for (const [name, handler] of Object.entries(HANDLERS)) api.on(name, quiet(handler));
  },
};
