/** A session as far as a handle can name it. */
export interface Named {
  /** The session, as the harness names it. */
  readonly key: string;
  readonly harness: string;
  readonly agentId: string;
  /** The directory it works in. */
  readonly project?: string;
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

const MIN_MARK = 4;

/**
 * Finds the session that a handle names: an exact session key, an exact agent id,
 * `codex-3f9a`, `codex` if exactly one is live, or `codex@project`, in this order.
 */
export function findSession<S extends Named>(
  sessions: readonly S[],
  handle: string,
  options: LookupOptions = {},
): Lookup<S> {
  const name = handle.trim().replace(/^@/, "");
  const byKey = sessions.filter(({ key }) => key === name);
  if (byKey.length > 0) return oneOf(byKey);
  const byAgent = sessions.filter(({ agentId }) => agentId === name);
  if (byAgent.length > 0) return oneOf(byAgent);
  if (options.agents?.includes(name)) return { kind: "nobody", agentId: name };
  const byMark = sessions.filter((session) => hasMark(session, name));
  if (byMark.length > 0) return oneOf(byMark);

  const at = name.indexOf("@");
  const program = (at < 0 ? name : name.slice(0, at)).toLowerCase();
  const project = at < 0 ? undefined : name.slice(at + 1);
  const ids = [...sessions.map(({ harness }) => harness), ...options.harnesses ?? []];
  const harness = ids.find((id) => harnessNames(id).includes(program));
  if (harness === undefined) return { kind: "unknown" };
  const live = sessions.filter((session) =>
    harnessNames(session.harness).includes(program) &&
    (project === undefined || isProject(session.project, project))
  );
  const others = live.filter(({ key }) => key !== options.self);
  const chosen = others.length > 0 ? others : live;
  return chosen.length > 0 ? oneOf(chosen) : { kind: "nobody", harness };
}

function oneOf<S>(candidates: readonly S[]): Lookup<S> {
  const [first, second] = candidates;
  return first !== undefined && second === undefined
    ? { kind: "session", session: first }
    : { kind: "ambiguous", candidates };
}

/** The shortest handle that names this session and no other live one: `codex-3f9a`. */
export function handleOf(session: Named, sessions: readonly Named[] = []): string {
  const mark = markOf(session.key);
  const marks = sessions
    .filter(({ key, harness }) =>
      key !== session.key && harnessName(harness) === harnessName(session.harness)
    )
    .map(({ key }) => markOf(key));
  let length = MIN_MARK;
  const isTaken = () => marks.some((other) => other.startsWith(mark.slice(0, length)));
  while (length < mark.length && isTaken()) length++;
  if (isTaken()) return session.key;
  return `${harnessName(session.harness)}-${mark.slice(0, length)}`;
}

/** `claude` for `claude-code`: what people call the program. */
function harnessName(id: string): string {
  return id.split("-", 1)[0] ?? id;
}

function harnessNames(id: string): string[] {
  return [id, harnessName(id)];
}

function hasMark(session: Named, handle: string): boolean {
  const name = handle.toLowerCase();
  return harnessNames(session.harness).some((program) => {
    if (!name.startsWith(`${program}-`)) return false;
    const mark = name.slice(program.length + 1);
    // A mark may be shorter than usual only if the key itself is.
    return mark !== "" &&
      [markOf(session.key), session.key.toLowerCase()].some((full) =>
        full === mark || (mark.length >= MIN_MARK && full.startsWith(mark))
      );
  });
}

/**
 * The part of a session key that differs between sessions. Codex's ids (UUID
 * version 7) and OpenCode's (`ses_…`) begin with the time, which sessions of one
 * day share: their random part is at the end.
 */
function markOf(key: string): string {
  const plain = key.toLowerCase();
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{4}-([0-9a-f]{12})$/.exec(plain);
  if (uuid) return uuid[1] === "7" ? `${uuid[2]}` : plain;
  const id = /^[a-z]+_([0-9a-z]{20,})$/.exec(plain);
  if (id) return `${id[1]}`.slice(-12);
  return plain.slice(Math.max(plain.lastIndexOf(":"), plain.lastIndexOf("/")) + 1) || plain;
}

/** Whether a name means this directory: its path, or its last part. */
function isProject(project: string | undefined, name: string): boolean {
  if (project === undefined || name === "") return false;
  const plain = project.replace(/[\\/]+$/, "");
  return plain === name.replace(/[\\/]+$/, "") || plain.split(/[\\/]/).at(-1) === name;
}
