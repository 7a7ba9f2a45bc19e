import { handleOf, resolveHandle } from "../../../../hooks/agents/sessions/handle.ts";

/** A session as far as a handle can name it. */
export interface Named {
  /** The session, as the harness names it. */
  readonly key: string;
  readonly harness: string;
  readonly agentId: string;
  /** The directory it works in; "" if that is not known. */
  readonly project: string;
}

/** What a handle names. */
export type Lookup<S> =
  | { readonly kind: "session"; readonly session: S }
  | { readonly kind: "ambiguous"; readonly candidates: readonly S[] }
  /** A known harness or agent that has no live session. */
  | { readonly kind: "nobody"; readonly harness?: string; readonly agentId?: string }
  | { readonly kind: "unknown" };

export interface LookupOptions {
  /** The ids of the harnesses that exist, live or not. */
  readonly harnesses?: readonly string[];
  /** Agents that are known to exist, live or not. */
  readonly agents?: readonly string[];
  /** The caller's session: a harness name means another session than this one, if there is one. */
  readonly self?: string;
}

/** Finds the live session that a handle names, or says why there is none. */
export function findSession<S extends Named>(
  sessions: readonly S[],
  handle: string,
  options: LookupOptions = {},
): Lookup<S> {
  const name = handle.trim().replace(/^@/, "");
  const isLive = sessions.some(({ key, agentId }) => key === name || agentId === name);
  if (!isLive && options.agents?.includes(name)) return { kind: "nobody", agentId: name };
  const matches = resolveHandle(name, sessions);
  const others = matches.filter(({ key }) => key !== options.self);
  const candidates = others.length > 0 ? others : matches;
  const [first, second] = candidates;
  if (first !== undefined) {
    return second === undefined ? { kind: "session", session: first } : { kind: "ambiguous", candidates };
  }
  const harness = harnessIn(name, [...sessions.map(({ harness }) => harness), ...options.harnesses ?? []]);
  return harness === undefined ? { kind: "unknown" } : { kind: "nobody", harness };
}

/** The harness that `codex` or `codex@project` names. */
function harnessIn(name: string, ids: readonly string[]): string | undefined {
  const program = (name.split("@", 1)[0] ?? "").toLowerCase();
  return ids.find((id) => program !== "" && resolveHandle(program, [named(id)]).length > 0);
}

const named = (harness: string): Named => ({ key: "", harness, agentId: "", project: "" });

/** The shortest handle that names this session and no other live one: `codex-3f9a`. */
export function uniqueHandle(session: Named, sessions: readonly Named[]): string {
  const longest = handleOf(session, Infinity);
  for (let digits = 4; digits < 24; digits += 2) {
    const handle = handleOf(session, digits);
    const named = resolveHandle(handle, sessions);
    if (named.length === 1 && named[0]?.key === session.key) return handle;
    if (handle === longest) break;
  }
  return session.key;
}
