// Signet memory for OpenCode, written by signet-opencode.
// `signet-opencode uninstall` removes it; an install writes it again.
import { quiet, Session, transcriptOf, within } from "../base/plugin/bridge.js";

const SETTINGS = { argv: ["signet-opencode", "hook", "EVENT"], timeouts: {}, checkpointEvery: 10 }; // signet:settings

/** OpenCode answers its plugins in-process; this is for a client that hangs. */
const CLIENT_MS = 1000;

/** The conversation itself: no tool output, and nothing that a plugin put in. */
function transcript(messages) {
  return transcriptOf(
    (messages ?? []).filter(({ info }) => info.summary !== true).map(({ info, parts }) => ({
      role: info.role,
      text: parts.filter((part) => part.type === "text" && !part.synthetic && !part.ignored)
        .map((part) => part.text).join("\n"),
    })),
  );
}

/** OpenCode fails to load a file with any export that is not a function. */
export const Signet = ({ client, directory }) => {
  const sessions = new Map();
  const created = new Map();
  const replies = new Map();
  // What was recalled for a user message. It is added to each request and not
  // stored, so the user's history stays theirs and the prompt cache stays valid.
  const recalled = new Map();
  const compacting = new Set();
  const pending = new Set();

  const ask = async (call) => (await within(CLIENT_MS, call()))?.data;
  const messagesOf = (id) => ask(() => client.session.messages({ path: { id } }));

  /** A resumed session has no `session.created`: it starts with its first message. */
  function session(id) {
    if (!sessions.has(id)) sessions.set(id, open(id));
    return sessions.get(id);
  }

  async function open(id) {
    const info = created.get(id) ?? await ask(() => client.session.get({ path: { id } }));
    const it = new Session(SETTINGS, {
      session_id: id,
      cwd: info?.directory ?? directory,
      parent_session_key: info?.parentID,
    });
    await it.start(created.has(id) ? "startup" : "resume");
    return it;
  }

  /** Work of a fire-and-forget event, which `dispose` waits for. */
  function follow(work) {
    pending.add(work);
    work.finally(() => pending.delete(work));
  }

  async function end(id, reason) {
    if (!sessions.has(id)) return;
    const it = await sessions.get(id);
    if (!it.ended) await it.end(reason, transcript(await messagesOf(id)));
    sessions.delete(id);
  }

  const onEvent = {
    "session.created": ({ info }) => void created.set(info.id, info),
    "message.part.updated": ({ part }) => {
      // Only what a model wrote has an end time.
      if (part.type === "text" && part.time?.end) replies.set(part.sessionID, part.text);
    },
    "session.idle": async ({ sessionID: id }) => {
      compacting.delete(id);
      const it = await sessions.get(id);
      if (it?.turnIsDue()) await it.checkpoint(transcript(await messagesOf(id)));
    },
    "session.compacted": async ({ sessionID: id }) => {
      compacting.delete(id);
      const summary = (await messagesOf(id))?.findLast(({ info }) => info.summary === true);
      const text = summary?.parts.filter((part) => part.type === "text").map((part) => part.text).join("\n");
      await (await session(id)).compacted(text);
    },
    "session.deleted": ({ info }) => end(info.id, "session.deleted"),
  };

  return Promise.resolve({
    event: ({ event }) => {
      const handler = onEvent[event.type];
      if (handler) follow(quiet(handler)(event.properties));
      return Promise.resolve();
    },
    "chat.message": quiet(async ({ sessionID }, { message, parts }) => {
      compacting.delete(sessionID);
      const prompt = parts.filter((part) => part.type === "text" && !part.synthetic)
        .map((part) => part.text).join("\n");
      const it = await session(sessionID);
      if (prompt.trim()) recalled.set(message.id, await it.prompt(prompt, replies.get(sessionID)));
    }),
    "experimental.chat.system.transform": quiet(async ({ sessionID }, { system }) => {
      // Neither a title nor a summary is to be made of our text.
      if (!sessionID || compacting.has(sessionID) || system[0]?.startsWith("You are a title generator")) {
        return;
      }
      const text = await (await session(sessionID)).start();
      if (text) system.push(text);
    }),
    "experimental.chat.messages.transform": quiet((_, { messages }) => {
      if (compacting.has(messages[0]?.info.sessionID)) return;
      messages.forEach(({ info, parts }, at) => {
        const text = recalled.get(info.id);
        if (!text) return;
        const part = { id: `${parts.at(-1)?.id}s`, sessionID: info.sessionID, messageID: info.id };
        messages[at] = { info, parts: [...parts, { ...part, type: "text", text, synthetic: true }] };
      });
    }),
    "experimental.session.compacting": quiet(async ({ sessionID }, { context }) => {
      const guide = await (await session(sessionID)).compacting("auto");
      if (guide) context.push(guide);
      compacting.add(sessionID);
    }),
    dispose: quiet(async () => {
      await within(CLIENT_MS, Promise.allSettled([...pending]));
      await Promise.allSettled([...sessions.keys()].map((id) => end(id, "session_shutdown")));
    }),
  });
};
