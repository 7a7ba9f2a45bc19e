import { parseObject } from "../../json.ts";
import { projectName } from "../sessions/handle.ts";
import { Inbox } from "../messages/inbox.ts";
import { defaultTtl, type Message } from "../messages/message.ts";
import { newMessageId } from "../messages/message_id.ts";
import { loadPolicy } from "../messages/policy.ts";
import { AgentSessions } from "../sessions/session.ts";
import { type HeldLock, isSameOwner, type Lock, type LockOwner, parseLock } from "./lock.ts";
import { readLines } from "./lock_log.ts";
import { holderName } from "./lock_reason.ts";
import { Locks } from "./locks.ts";
import { sharedPath } from "./targets/shared_path.ts";

/** What a session tells other machines about a shared lock: it holds it, or no longer. */
export interface Announcement {
  readonly op: "take" | "free";
  readonly lock: Lock;
}

/** What other machines learn of a lock. Nothing here names a place on this machine. */
const SHARED_FIELDS = [
  "v",
  "path",
  "scope",
  "kind",
  "intent",
  "taken",
  "leaseMs",
  "token",
  "agentId",
  "harness",
  "session",
  "machine",
  "repo",
  "reach",
] as const satisfies readonly (keyof Lock)[];

/** The text of a message with an announcement. */
export function announcementText(op: Announcement["op"], lock: Lock): string {
  const shared = Object.fromEntries(SHARED_FIELDS.map((name) => [name, lock[name]]));
  return JSON.stringify({ signetLock: op, ...shared });
}

/** A message to all other machines. */
export function announce(op: Announcement["op"], lock: Lock, project: string): Message {
  return {
    id: newMessageId(),
    at: Date.now(),
    from: {
      agentId: lock.agentId,
      session: lock.session,
      harness: lock.harness,
      machine: lock.machine,
      cwd: projectName(project),
    },
    to: {},
    priority: 1,
    wants: "none",
    // A lease that is over means nothing to anybody.
    ttl: Math.max(1, Math.ceil(lock.leaseMs / 1000)),
    kind: "lock",
    hop: 0,
    text: announcementText(op, lock),
    verified: true,
  };
}

export function parseAnnouncement({ kind, text, from, at }: Message): Announcement | undefined {
  if (kind !== "lock" || !text.startsWith("{")) return undefined;
  const fields = parseObject(text);
  const op = fields?.signetLock;
  const lock = parseLock(text);
  if ((op !== "take" && op !== "free") || lock?.repo === undefined) return undefined;
  // The agent is the daemon's word, the place follows from the repository, and no process proves anything.
  return {
    op,
    lock: {
      ...lock,
      agentId: from.agentId,
      path: sharedPath(lock.repo),
      caller: undefined,
      // Only shown to people: what is exact is decided where the lock is taken.
      reach: lock.reach === "exact" ? "exact" : "announced",
      announced: at,
    },
  };
}

/**
 * Takes an announcement from another machine into the locks that hooks check.
 * False if the message is something else, which belongs into an inbox.
 */
export async function receiveAnnouncement(dir: string, message: Message): Promise<boolean> {
  const announced = parseAnnouncement(message);
  if (announced === undefined) return false;
  const { op, lock } = announced;
  const { deny } = loadPolicy();
  if (deny.includes(lock.agentId) || deny.includes("*")) return true;
  const sessions = new AgentSessions(dir);
  // Announcements come back to the machine that sent them.
  if (sessions.get({ harness: lock.harness, key: lock.session }) !== undefined) return true;
  const locks = new Locks(dir, Date.now, "shared");
  try {
    if (op === "free") await locks.dismiss(lock);
    else {
      const other = await locks.adopt(lock);
      // A session here that holds an exact lock is about to learn that it did not get it.
      if (other !== undefined && lock.reach !== "exact") contested(dir, locks, other, lock);
    }
  } catch {
    // On a full disk the announcement is lost, as it would be without a connection.
  }
  return true;
}

/** Two sessions took the same lock before either heard of the other: each machine tells its own. */
function contested(dir: string, locks: Locks, held: HeldLock, rival: Lock): void {
  const known = readLines(locks.logPath).some(({ event, detail }) =>
    event === "contested" && detail === rival.token
  );
  if (known) return;
  locks.log("contested", held, rival, rival.token);
  const owner = new AgentSessions(dir).get({ harness: held.harness, key: held.session });
  if (owner === undefined || isSameOwner(held, rival)) return;
  new Inbox(dir).put(
    owner,
    lockMessage(
      rival,
      owner,
      `${held.repo?.path ?? held.path}: you and ${holderName(rival)} ` +
        "on another machine took this shared lock at the same moment, and both have it. Agree with them before you edit.",
    ),
  );
}

/** A message about a lock, from whoever acted. */
export function lockMessage(
  from: LockOwner & { readonly project?: string },
  to: { readonly agentId: string; readonly key: string; readonly project: string },
  text: string,
): Message {
  return {
    id: newMessageId(),
    at: Date.now(),
    from: {
      agentId: from.agentId,
      session: from.session,
      harness: from.harness === "person" ? undefined : from.harness,
      machine: from.machine,
      cwd: projectName(from.project ?? to.project),
    },
    to: { agentId: to.agentId, session: to.key },
    priority: 4,
    wants: "none",
    ttl: defaultTtl(4),
    kind: "lock",
    hop: 0,
    text,
    verified: true,
  };
}
