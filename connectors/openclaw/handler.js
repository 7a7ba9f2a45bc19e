// Signet memory for OpenClaw as an internal hook, written by signet-openclaw.
// `signet-openclaw uninstall` removes it; an install writes it again.
import { quiet, Session } from "../base/plugin/bridge.js";

const SETTINGS = { argv: ["signet-openclaw", "hook", "EVENT"], timeouts: {}, checkpointEvery: 10 }; // signet:settings

const sessions = globalThis[Symbol.for("signet-connector.hook")] ??= new Map();

function open(event) {
  // `/new` may keep the id, and what follows is another session all the same.
  const id = `${event.context?.sessionId ?? event.sessionKey}-${Date.now()}`;
  const it = new Session(SETTINGS, { session_id: id, cwd: event.context?.workspaceDir });
  sessions.set(event.sessionKey, it);
  return it;
}

const session = (event) => sessions.get(event.sessionKey) ?? open(event);

async function end(key, reason) {
  const it = sessions.get(key);
  sessions.delete(key);
  await it?.end(reason);
}

const HANDLERS = {
  "agent:bootstrap": async (event) => {
    const known = await session(event).start("startup");
    const files = event.context?.bootstrapFiles;
    if (!known || !Array.isArray(files)) return;
    files.push({ name: "SIGNET.md", path: "SIGNET.md", content: known, missing: false });
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
