import { stripControls } from "../../context_text/strip_controls.ts";
import { handleOf } from "../sessions/handle.ts";
import type { HeldLock, LockOwner } from "./lock.ts";

const MAX_REASON = 400;

/** Why an edit was refused, for the model: one line, at most 400 characters. */
export function lockReason(lock: HeldLock, path: string): string {
  const times = lock.taken > 0 ? ` since ${clock(lock.taken)} until ${clock(lock.until)} UTC` : "";
  // Other people's text: in quotes, and on one line.
  const intent = oneLine(lock.intent).replaceAll('"', "'");
  const what = lock.scope === "tree" ? ` with all of ${short(lock.repo?.path || lock.path, 60)}` : "";
  const head = `Not changed: ${short(path, 100)} is locked${what} by ${holderName(lock)}${times}`;
  const advice = ". Do other work, write to them with agent_message_send, or wait for it with file_lock.";
  const room = MAX_REASON - head.length - advice.length - 4;
  const quoted = intent === "" || room < 10
    ? ""
    : `, "${intent.length > room ? `${intent.slice(0, room - 1)}…` : intent}"`;
  return `${head}${quoted}${advice}`.slice(0, MAX_REASON);
}

/** Why an edit of a file was refused whose lock is gone. */
export function lostReason(path: string): string {
  return `Not changed: your lock on ${
    short(path, 100)
  } has ended and another session may have edited it since. ` +
    "Read it again, lock it again if you need it, and repeat the edit.";
}

export function troubleReason(detail: string): string {
  return `Not changed: the file locks cannot be checked (${
    short(oneLine(detail), 200)
  }), and the mode is strict. ` +
    "Tell the user.";
}

/** `codex-3f9a (agent bob)`. */
export function holderName(
  { harness, session, agentId }: Pick<LockOwner, "harness" | "session" | "agentId">,
): string {
  if (harness === "") return "an unknown session";
  const agent = agentId === "" ? "" : ` (agent ${oneLine(agentId).slice(0, 40)})`;
  if (harness === "person") return `a person${agent}`;
  return handleOf({ harness, key: session }) + agent;
}

function clock(ms: number): string {
  return new Date(ms).toISOString().slice(11, 19);
}

function oneLine(text: string): string {
  return stripControls(text).replace(/\s+/g, " ").trim();
}

/** The end of a path says more than its beginning. */
function short(path: string, max: number): string {
  const clean = oneLine(path);
  return clean.length <= max ? clean : `…${clean.slice(1 - max)}`;
}
