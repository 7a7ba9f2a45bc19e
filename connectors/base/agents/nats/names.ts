/**
 * The names of things at a NATS server. The sender is the last part of a subject and
 * the receiver has a stream of its own, so the server's permissions decide who may
 * send as an agent and who may read its messages.
 */

/** An agent id as one part of a subject: `nicholai/pi` is `nicholai=2Fpi`. */
export function token(agentId: string): string {
  const bytes = new TextEncoder().encode(agentId);
  return [...bytes].map((byte) => {
    const char = String.fromCharCode(byte);
    return /[A-Za-z0-9_-]/.test(char) ? char : `=${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }).join("");
}

/** The agent id in a part of a subject; undefined if it is none. */
export function agentOf(part: string): string | undefined {
  if (!/^(?:[A-Za-z0-9_-]|=[0-9A-F]{2})+$/.test(part)) return undefined;
  try {
    return decodeURIComponent(part.replaceAll("=", "%"));
  } catch {
    return undefined;
  }
}

/** Messages to all agents. */
export const ALL_STREAM = "signet_all";
export const ALL_SUBJECTS = "signet.all.*";
/** Who is where: `<agent>.<machine>`, written by each machine and read by all. */
export const PRESENCE_BUCKET = "signet_presence";
/** The shared locks, one key per repository. */
export const LOCKS_BUCKET = "signet_locks";

/** The stream with the messages for an agent. */
export function streamOf(agentId: string): string {
  return `signet_to_${token(agentId)}`;
}

/** The subjects of that stream: one per sender. */
export function inboxSubjects(agentId: string): string {
  return `signet.to.${token(agentId)}.*`;
}

/** Where a message goes; without a receiver, to all agents. */
export function subjectFor(to: string | undefined, from: string): string {
  return to === undefined ? `signet.all.${token(from)}` : `signet.to.${token(to)}.${token(from)}`;
}

/** Who sent a message to whom, as the server's permissions guarantee it. */
export function readSubject(subject: string): { readonly from: string; readonly to?: string } | undefined {
  const [, to, from] = /^signet\.(?:to\.([^.]+)|all)\.([^.]+)$/.exec(subject) ?? [];
  const sender = from === undefined ? undefined : agentOf(from);
  if (sender === undefined) return undefined;
  if (to === undefined) return { from: sender };
  const receiver = agentOf(to);
  return receiver === undefined ? undefined : { from: sender, to: receiver };
}

/** Where answers of the server go; only this agent may listen there. */
export function inboxPrefix(agentId: string): string {
  return `_INBOX_${token(agentId)}`;
}
