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
  const known = new Map();
  const pending = new Set();

  const ask = async (call) => (await within(CLIENT_MS, call()))?.data;
  const messagesOf = (id) => ask(() => client.session.messages({ path: { id } }));

  /** What is known of a session, from its first event to its end. */
  function about(id) {
    if (!known.has(id)) {
      // `recalled`, by user message, is added to each request and not stored: the
      // user's history stays theirs, and the model's prompt cache stays valid.
      known.set(id, { info: undefined, reply: undefined, recalled: new Map(), compacting: false });
    }
    return known.get(id);
  }

  /** A resumed session has no `session.created`: it starts with its first message. */
  function session(id) {
    const it = about(id);
    return it.session ??= open(id, it.info);
  }

  async function open(id, created) {
    const info = created ?? await ask(() => client.session.get({ path: { id } }));
    const opened = new Session(SETTINGS, {
      session_id: id,
      cwd: info?.directory ?? directory,
      parent_session_key: info?.parentID,
    });
    await opened.start(created ? "startup" : "resume");
    return opened;
  }

  /** Work of a fire-and-forget event, which `dispose` waits for. */
  function follow(work) {
    pending.add(work);
    work.finally(() => pending.delete(work));
  }

  async function end(id, reason) {
    const opened = await known.get(id)?.session;
    if (opened && !opened.ended) await opened.end(reason, transcript(await messagesOf(id)));
    known.delete(id);
  }

  const onEvent = {
    "session.created": ({ info }) => void (about(info.id).info = info),
    "message.part.updated": ({ part }) => {
      const it = known.get(part.sessionID);
      // Only what a model wrote has an end time.
      if (it && part.type === "text" && part.time?.end) it.reply = part.text;
    },
    "session.idle": async ({ sessionID: id }) => {
      const it = known.get(id);
      if (it) it.compacting = false;
      const opened = await it?.session;
      if (opened?.turnIsDue()) await opened.checkpoint(transcript(await messagesOf(id)));
    },
    "session.compacted": async ({ sessionID: id }) => {
      about(id).compacting = false;
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
      const it = about(sessionID);
      it.compacting = false;
      const prompt = parts.filter((part) => part.type === "text" && !part.synthetic)
        .map((part) => part.text).join("\n");
      const opened = await session(sessionID);
      if (prompt.trim()) it.recalled.set(message.id, await opened.prompt(prompt, it.reply));
    }),
    "experimental.chat.system.transform": quiet(async ({ sessionID }, { system }) => {
      // Neither a title nor a summary is to be made of our text.
      if (!sessionID || system[0]?.startsWith("You are a title generator") || about(sessionID).compacting) {
        return;
      }
      const text = await (await session(sessionID)).start();
      if (text) system.push(text);
    }),
    "experimental.chat.messages.transform": quiet((_, { messages }) => {
      const it = known.get(messages[0]?.info.sessionID);
      if (!it || it.compacting) return;
      messages.forEach(({ info, parts }, at) => {
        const text = it.recalled.get(info.id);
        if (!text) return;
        const part = { id: `${parts.at(-1)?.id}s`, sessionID: info.sessionID, messageID: info.id };
        messages[at] = { info, parts: [...parts, { ...part, type: "text", text, synthetic: true }] };
      });
    }),
    "experimental.session.compacting": quiet(async ({ sessionID }, { context }) => {
      const guide = await (await session(sessionID)).compacting("auto");
      if (guide) context.push(guide);
      about(sessionID).compacting = true;
    }),
    dispose: quiet(async () => {
      await within(CLIENT_MS, Promise.allSettled([...pending]));
      await Promise.allSettled([...known.keys()].map((id) => end(id, "session_shutdown")));
    }),
  });
};
