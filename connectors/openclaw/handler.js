// Signet memory for OpenClaw as an internal hook, written by signet-openclaw.
// `signet-openclaw uninstall` removes it; an install writes it again.
import { quiet, Session } from "../base/plugin/bridge.js";

const SETTINGS = { argv: ["signet-openclaw", "hook", "EVENT"], timeouts: {}, checkpointEvery: 10 }; // signet:settings

const sessions = globalThis[Symbol.for("signet-connector.hook")] ??= new Map();

function open(event) {
  // `/new` may keep the id, but starts another session.
  const id = `${event.context?.sessionId ?? event.sessionKey}-${Date.now()}`;
  const opened = new Session(SETTINGS, { session_id: id, cwd: event.context?.workspaceDir });
  sessions.set(event.sessionKey, opened);
  return opened;
}

const session = (event) => sessions.get(event.sessionKey) ?? open(event);

async function end(key, reason) {
  const ended = sessions.get(key);
  sessions.delete(key);
  await ended?.end(reason);
}

const HANDLERS = {
  "agent:bootstrap": async (event) => {
    const text = await session(event).start("startup");
    const files = event.context?.bootstrapFiles;
    if (!text || !Array.isArray(files)) return;
    files.push({ name: "SIGNET.md", path: "SIGNET.md", content: text, missing: false });
  },
  "command:new": (event) => end(event.sessionKey, "session_switch"),
  "command:reset": (event) => end(event.sessionKey, "session_switch"),
  "session:auto-reset": (event) => end(event.sessionKey, "stale-session-sweep"),
  "session:compact:before": (event) => session(event).compacting("auto"),
  "gateway:shutdown": () => Promise.all([...sessions.keys()].map((key) => end(key, "session_shutdown"))),
};

export default quiet(async (event) => {
  await HANDLERS[`${event.type}:${event.action}`]?.(event);
});
