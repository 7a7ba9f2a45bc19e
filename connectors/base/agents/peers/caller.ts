import type { ListedSession } from "../../../../hooks/agents/sessions/session.ts";
import { EXIT, UserError } from "../../cli/command.ts";
import { findSession, uniqueHandle } from "./lookup.ts";

/** Who acts: a session on this machine, or a person at a command line. */
export type Caller =
  | { readonly kind: "session"; readonly session: ListedSession; readonly how: "named" | "guessed" }
  | { readonly kind: "person" };

export interface CallerQuery {
  /** `--as`. */
  readonly as?: string;
  /** The live sessions of this machine that the caller may act as. */
  readonly live: readonly ListedSession[];
  readonly env: (name: string) => string | undefined;
  /** The variables in which harnesses give their session to the programs that they start. */
  readonly harnesses: readonly { readonly id: string; readonly sessionVariable?: string }[];
  readonly cwd: string;
  /** A person types at a terminal; an agent has none. */
  readonly interactive: boolean;
}

/**
 * Who acts: the session that `--as` names, the one in the environment, a person at
 * a terminal, or the only live session in this directory.
 */
export function findCaller(query: CallerQuery): Caller {
  const { as, live, env, harnesses, cwd } = query;
  if (as !== undefined) return named(as, live);
  for (const { id, sessionVariable } of harnesses) {
    const key = sessionVariable === undefined ? undefined : env(sessionVariable);
    const session = live.find((each) => each.harness === id && each.key === key);
    if (session !== undefined) return { kind: "session", session, how: "named" };
  }
  if (query.interactive) return { kind: "person" };
  const here = live.filter(({ project }) => isWithin(cwd, project));
  const [only, second] = here;
  if (only === undefined) return { kind: "person" };
  if (second === undefined) return { kind: "session", session: only, how: "guessed" };
  throw new UserError(
    `Several agents work in this directory: ${handles(here, live)}. Say which one you are.`,
    EXIT.usage,
    `--as ${uniqueHandle(only, live)}, or --as person`,
  );
}

function named(as: string, live: readonly ListedSession[]): Caller {
  if (as === "person") return { kind: "person" };
  const lookup = findSession(live, as);
  switch (lookup.kind) {
    case "session":
      return { kind: "session", session: lookup.session, how: "named" };
    case "ambiguous":
      throw new UserError(
        `${as} can be any of ${handles(lookup.candidates, live)}.`,
        EXIT.usage,
        `--as ${
          uniqueHandle(lookup.candidates[0] ?? { key: as, harness: "", agentId: "", project: "" }, live)
        }`,
      );
    default:
      throw new UserError(
        `There is no live session ${as} on this machine to act as.`,
        EXIT.usage,
        live.length > 0 ? `one of ${handles(live, live)}` : undefined,
      );
  }
}

function handles(some: readonly ListedSession[], live: readonly ListedSession[]): string {
  return some.map((session) => uniqueHandle(session, live)).join(", ");
}

function isWithin(path: string, dir: string): boolean {
  const plain = dir.replace(/[\\/]+$/, "");
  return plain !== "" && (path === plain || path.startsWith(`${plain}/`) || path.startsWith(`${plain}\\`));
}
