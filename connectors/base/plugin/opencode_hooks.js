// The hooks of OpenCode's plugin, which Kilo loads too: it is built on OpenCode.
import { Agents } from "./agents_bridge.js";
import { isStartedWith, quiet, Session, transcriptOf, within } from "./bridge.js";

/** The limit for a call to OpenCode, which answers in-process unless it hangs. */
const CLIENT_MS = 1000;

/** The conversation, without tool output and text that plugins added. */
function transcript(messages) {
  return transcriptOf(
    (messages ?? []).filter(({ info }) => info.summary !== true).map(({ info, parts }) => ({
      role: info.role,
      text: parts.filter((part) => part.type === "text" && !part.synthetic && !part.ignored)
        .map((part) => part.text).join("\n"),
    })),
  );
}

/** What the plugin answers to OpenCode's events. */
export function opencodeHooks(settings, { client, directory }) {
  const agents = new Agents(settings);
  // `opencode run` exits when its session is idle.
  const canWake = !isStartedWith("run");
  const sessions = new Map();
  const pending = new Set();

  const request = async (call) => (await within(CLIENT_MS, call()))?.data;
  const messagesOf = (id) => request(() => client.session.messages({ path: { id } }));

  /** The state of a session, from its first event to its end. */
  function stateOf(id) {
    if (!sessions.has(id)) {
      // `recalled`, by user message, is added to each request and not stored: the
      // history has only the user's text, and the model's prompt cache stays valid.
      sessions.set(id, {
        info: undefined,
        reply: undefined,
        recalled: new Map(),
        compacting: false,
        turns: [],
      });
    }
    return sessions.get(id);
  }

  /** A resumed session has no `session.created`: it starts with its first message. */
  function session(id) {
    const state = stateOf(id);
    return state.session ??= open(id, state.info);
  }

  async function open(id, created) {
    const info = created ?? await request(() => client.session.get({ path: { id } }));
    const cwd = info?.directory ?? directory;
    const opened = new Session(settings, { session_id: id, cwd, parent_session_key: info?.parentID });
    Object.assign(stateOf(id), { opened, cwd, isSubagent: info?.parentID !== undefined });
    await opened.start(created ? "startup" : "resume");
    return opened;
  }

  /** Starts a turn in an idle session; its prompt hook adds the messages. */
  function ring(id, text) {
    const body = { parts: [{ type: "text", text }] };
    track(within(CLIENT_MS, client.session.promptAsync({ path: { id }, body })));
  }

  /** A sub-agent takes no part: its messages are its parent's. */
  function isAgent(id) {
    const state = sessions.get(id);
    return state?.opened !== undefined && !state.isSubagent;
  }

  /** Tracks the work of an event that OpenCode does not wait for; `dispose` waits for it. */
  function track(work) {
    pending.add(work);
    work.finally(() => pending.delete(work));
  }

  async function end(id, reason) {
    const opened = await sessions.get(id)?.session;
    if (opened && !opened.ended) await opened.end(reason, transcript(await messagesOf(id)));
    sessions.delete(id);
  }

  /** Adds a message to what `endAllNow` sends; a message that is complete replaces its earlier part. */
  function addTurn(state, turn) {
    state.turns = [...state.turns.filter(({ id }) => id !== turn.id), turn];
  }

  /** OpenCode below 1.15.13 has no `dispose`: it exits right after this event and waits for nothing. */
  function endAllNow() {
    for (const { opened, history, turns } of sessions.values()) {
      const text = [history, transcriptOf(turns)].filter(Boolean).join("\n\n");
      opened?.endNow("session_shutdown", text);
    }
  }

  const onEvent = {
    "server.instance.disposed": endAllNow,
    "session.created": ({ info }) => void (stateOf(info.id).info = info),
    "message.part.updated": ({ part }) => {
      const state = sessions.get(part.sessionID);
      // Only text from a model has an end time.
      if (!state || part.type !== "text" || !part.time?.end) return;
      state.reply = part.text;
      addTurn(state, { id: part.id, role: "assistant", text: part.text });
    },
    "session.idle": async ({ sessionID: id }) => {
      const state = sessions.get(id);
      if (state) state.compacting = false;
      const opened = await state?.session;
      if (!opened) return;
      const before = state.turns;
      const messages = await messagesOf(id);
      if (messages) {
        state.history = transcript(messages);
        opened.keep(state.history);
        state.turns = state.turns.filter((turn) => !before.includes(turn));
      }
      if (isAgent(id)) await agents.idle(id, state.cwd, canWake && ((text) => ring(id, text)));
      if (opened.turnIsDue()) await opened.checkpoint(state.history);
    },
    "permission.asked": ({ sessionID }) => agents.note(sessionID, "waiting"),
    "permission.updated": ({ sessionID }) => agents.note(sessionID, "waiting"),
    "permission.replied": ({ sessionID }) => agents.note(sessionID, "working"),
    "session.compacted": async ({ sessionID: id }) => {
      stateOf(id).compacting = false;
      const summary = (await messagesOf(id))?.findLast(({ info }) => info.summary === true);
      const text = summary?.parts.filter((part) => part.type === "text").map((part) => part.text).join("\n");
      await (await session(id)).compacted(text);
    },
    "session.deleted": ({ info }) => end(info.id, "session.deleted"),
  };

  return {
    event: ({ event }) => {
      const handler = onEvent[event.type];
      if (handler) track(quiet(handler)(event.properties));
      return Promise.resolve();
    },
    "chat.message": quiet(async ({ sessionID }, { message, parts }) => {
      const state = stateOf(sessionID);
      state.compacting = false;
      state.lastPrompt = message.id;
      agents.busy(sessionID);
      const prompt = parts.filter((part) => part.type === "text" && !part.synthetic)
        .map((part) => part.text).join("\n");
      const opened = await session(sessionID);
      if (!prompt.trim()) return;
      if (prompt !== agents.doorbell) addTurn(state, { id: message.id, role: "user", text: prompt });
      state.recalled.set(message.id, await opened.prompt(prompt, state.reply));
    }),
    "experimental.chat.system.transform": quiet(async ({ sessionID }, { system }) => {
      // Keep our text out of titles and summaries.
      if (!sessionID || system[0]?.startsWith("You are a title generator") || stateOf(sessionID).compacting) {
        return;
      }
      const text = await (await session(sessionID)).start();
      if (text) system.push(text);
    }),
    "tool.execute.before": async ({ tool, sessionID }, { args }) => {
      const { cwd = directory } = sessions.get(sessionID) ?? {};
      const reason = await agents.refusal(sessionID, cwd, tool, args).catch(() => undefined);
      // OpenCode gives the text of an error to the model, and does not run the tool.
      if (reason) throw new Error(reason);
    },
    "tool.execute.after": quiet(({ tool, sessionID, args }) => {
      const { cwd = directory } = sessions.get(sessionID) ?? {};
      agents.ran(sessionID, cwd, tool, args);
    }),
    "experimental.chat.messages.transform": quiet(async (_, { messages }) => {
      const id = messages[0]?.info.sessionID;
      const state = sessions.get(id);
      if (!state || state.compacting) return;
      const arrived = isAgent(id) && state.lastPrompt ? await agents.messages(id, state.cwd) : "";
      if (arrived) {
        const before = state.recalled.get(state.lastPrompt);
        state.recalled.set(state.lastPrompt, before ? `${before}\n\n${arrived}` : arrived);
      }
      messages.forEach(({ info, parts }, at) => {
        const text = state.recalled.get(info.id);
        if (!text) return;
        const part = { id: `${parts.at(-1)?.id}s`, sessionID: info.sessionID, messageID: info.id };
        messages[at] = { info, parts: [...parts, { ...part, type: "text", text, synthetic: true }] };
      });
    }),
    "experimental.session.compacting": quiet(async ({ sessionID }, { context }) => {
      const guide = await (await session(sessionID)).compacting("auto");
      if (guide) context.push(guide);
      stateOf(sessionID).compacting = true;
    }),
    dispose: quiet(async () => {
      await within(CLIENT_MS, Promise.allSettled([...pending]));
      await Promise.allSettled([...sessions.keys()].map((id) => end(id, "session_shutdown")));
    }),
  };
}
