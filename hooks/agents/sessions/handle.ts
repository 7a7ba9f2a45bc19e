import type { AgentSession } from "./session.ts";

type Named = Pick<AgentSession, "key" | "harness" | "agentId" | "project">;

/** What a person types for a session: `codex-3f9a`. It stays the same for the whole session. */
export function handleOf({ harness, key }: Pick<Named, "harness" | "key">, digits = 4): string {
  return `${shortName(harness)}-${randomPart(key).slice(0, digits)}`;
}

/** `claude` for `claude-code`. */
function shortName(harness: string): string {
  const dash = harness.indexOf("-");
  return dash > 0 ? harness.slice(0, dash) : harness;
}

/**
 * The part of a session key that tells sessions apart. The ids of Codex (UUIDs of
 * version 7) and OpenCode (`ses_…`) begin with the time, so sessions of one minute begin alike.
 */
function randomPart(key: string): string {
  const letters = key.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
  const isTimed = /^[0-9a-f]{12}7[0-9a-f]{19}$/.test(letters);
  if (isTimed) return letters.slice(20) + letters.slice(0, 20);
  const isPrefixed = /^[a-z]+_[A-Za-z0-9]{20,}$/.test(key);
  return isPrefixed ? letters.slice(-12) + letters.slice(0, -12) : letters;
}

/** The sessions that a handle can mean: none, the one, or the candidates of an ambiguous handle. */
export function resolveHandle<S extends Named>(handle: string, sessions: readonly S[]): S[] {
  for (const means of MEANINGS) {
    const matches = sessions.filter((session) => means(session, handle));
    if (matches.length > 0) return matches;
  }
  return [];
}

/** In this order: the first meaning that any session has is the one that counts. */
const MEANINGS: readonly ((session: Named, handle: string) => boolean)[] = [
  (session, handle) => session.key === handle,
  (session, handle) => session.agentId === handle,
  ({ harness, key }, handle) => {
    const lower = handle.toLowerCase();
    return [harness, shortName(harness)].some((name) => {
      const rest = lower.startsWith(`${name}-`) ? lower.slice(name.length + 1) : "";
      if (rest.length < 4) return rest !== "" && rest === randomPart(key);
      return randomPart(key).startsWith(rest) || key.toLowerCase().startsWith(rest);
    });
  },
  ({ harness }, handle) => isHarness(harness, handle),
  ({ harness, project }, handle) => {
    const at = handle.indexOf("@");
    const name = handle.slice(at + 1);
    return at > 0 && name !== "" && isHarness(harness, handle.slice(0, at)) &&
      (projectName(project) === name || project === name);
  },
];

function isHarness(harness: string, name: string): boolean {
  const lower = name.toLowerCase();
  return lower === harness || lower === shortName(harness);
}

/** The last part of a project's path. */
export function projectName(project: string): string {
  let end = project.length;
  while (end > 0 && "/\\".includes(project.charAt(end - 1))) end--;
  const cut = Math.max(project.lastIndexOf("/", end - 1), project.lastIndexOf("\\", end - 1));
  return project.slice(cut + 1, end);
}
