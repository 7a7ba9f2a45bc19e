import { resolve } from "@std/path";
import type { SQLInputValue } from "node:sqlite";
import { projectName } from "../../../hooks/agents/sessions/handle.ts";
import { type Context, EXIT, UserError } from "../cli/command.ts";

/** Which messages a command is about. */
export interface Filter {
  /** An agent id, a session, a handle or a harness, as sender or receiver. */
  readonly agent?: string;
  /** The last part of the sender's project. */
  readonly project?: string;
  /** In ms since 1970. */
  readonly since?: number;
  readonly limit: number;
  /** Only what this session's agent has sent, or what was shown to it. */
  readonly knownTo?: { readonly agentId: string; readonly session: string };
}

const UNITS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** The filter that the flags of a command describe. */
export function filterOf({ flags }: Pick<Context, "flags">, limit: number): Filter {
  const project = flags.text("project");
  return {
    agent: flags.text("agent"),
    project: project === undefined
      ? undefined
      : projectName(/^[.~/\\]/.test(project) ? resolve(project) : project),
    since: sinceOf(flags.text("since"), Date.now()),
    limit: limitOf(flags.text("limit"), limit),
  };
}

/** `30m`, `2h`, `14d`, `4w`, or a date: 2026-11-17, 2026-11-17T10:30. */
export function sinceOf(given: string | undefined, now: number): number | undefined {
  if (given === undefined) return undefined;
  const [, digits, unit = ""] = /^(\d{1,6})([mhdw])$/.exec(given) ?? [];
  if (digits !== undefined) return now - Number(digits) * (UNITS[unit] ?? 0);
  // A date alone is a day of the user, and Date.parse would take it as one of UTC.
  const date = /^\d{4}-\d\d-\d\d$/.test(given) ? `${given}T00:00` : given;
  const at = /^\d{4}-\d\d-\d\dT/.test(date) ? Date.parse(date) : NaN;
  if (!Number.isNaN(at)) return at;
  throw new UserError(
    `--since must be a time such as 30m, 2h, 14d or 2026-11-17, not ${given}.`,
    EXIT.usage,
    "--since 1d",
  );
}

function limitOf(given: string | undefined, otherwise: number): number {
  if (given === undefined) return otherwise;
  if (/^[1-9]\d{0,6}$/.test(given)) return Number(given);
  throw new UserError(`--limit must be a number from 1, not ${given}.`, EXIT.usage, "--limit 100");
}

/** The filter as conditions on `messages m`, joined by "and", and their values. */
export function conditions(
  { agent, project, since, knownTo }: Filter,
): { sql: string; values: SQLInputValue[] } {
  const parts = ["true"];
  const values: SQLInputValue[] = [];
  if (agent !== undefined) {
    const isNamed = (table: string) =>
      `(${table}.harness = ? or ${table}.session = ? or ${table}.handle = ? or ` +
      `substr(${table}.handle, 1, length(?)) = ?)`;
    parts.push(
      `(m.from_agent = ? or m.to_agent = ? or m.to_session = ?
        or ${isNamed("m").replaceAll("m.", "m.from_")}
        or exists (select 1 from events e where e.id = m.id and e.event = 'put' and ${isNamed("e")}))`,
    );
    const lower = agent.toLowerCase();
    // `codex-3f` is the beginning of a handle, and `claude` that of every handle of Claude Code.
    const beginning = lower.includes("-") ? lower : `${lower}-`;
    const named = [agent, agent, lower, beginning, beginning];
    values.push(agent, agent, agent, ...named, ...named);
  }
  if (project !== undefined) {
    parts.push("m.project = ?");
    values.push(project);
  }
  if (since !== undefined) {
    parts.push("m.at >= ?");
    values.push(since);
  }
  if (knownTo !== undefined) {
    // Not what waits, was held by the policy, or was read by a person.
    parts.push(
      `((m.verified = 1 and m.from_agent = ?) or exists (
        select 1 from events e where e.id = m.id and e.event = 'shown' and e.session <> '*'
          and e.harness not in ('agent', 'person') and (e.session = ? or m.to_agent = ?)))`,
    );
    values.push(knownTo.agentId, knownTo.session, knownTo.agentId);
  }
  return { sql: parts.join(" and "), values };
}
