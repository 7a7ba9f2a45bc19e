import type { DatabaseSync } from "node:sqlite";
import { agentLogPath } from "../../../hooks/agents/log_line.ts";
import { type Context, EXIT, type Outcome } from "../../base/cli/command.ts";
import { localTime } from "../../base/cli/agents/log_filter.ts";
import { table } from "../../base/cli/output/layout.ts";
import { historyPath, number, text } from "../../base/history/database.ts";
import { conditions, type Filter, filterOf } from "../../base/history/filter.ts";
import { withHistory } from "../../base/history/open_history.ts";
import { formatSize } from "./size.ts";
import { fact } from "../../base/history/take_up.ts";

/** Agents and projects that are listed; `--json` has as many. */
const MOST = 20;

interface HistoryStats {
  readonly messages: number;
  readonly answers: number;
  /** Messages that wanted an answer, and how many got one. */
  readonly asked: number;
  readonly answered: number;
  readonly expired: number;
  readonly oldest?: string;
  readonly newest?: string;
  readonly agents: readonly { agent: string; sent: number; received: number }[];
  readonly projects: readonly { project: string; messages: number }[];
  /** Lines of the log that could not be read. */
  readonly unreadable: number;
  readonly bytes: { readonly database: number; readonly log: number };
}

/** Counts the messages. */
export function run(context: Context): Promise<Outcome> {
  const { ui } = context;
  const filter = filterOf(context, MOST);
  const stats = withHistory(context, (database, dir) => count(database, dir, filter));
  if (stats === undefined || stats.messages === 0) ui.say("No messages.");
  else print(stats, ui);
  return Promise.resolve({ code: EXIT.ok, data: stats ?? { messages: 0 } });
}

function count(database: DatabaseSync, dir: string, filter: Filter): HistoryStats {
  const { sql, values } = conditions(filter);
  const all = (query: string) => database.prepare(query).all(...values);
  const [total = {}] = all(
    `select count(*) messages, sum(m.kind = 'reply') answers, sum(m.wants = 'reply') asked,
      sum(m.wants = 'reply' and exists (select 1 from messages r where r.reply_to = m.id)) answered,
      sum(exists (select 1 from events e where e.id = m.id and e.event = 'expired')) expired,
      min(m.at) oldest, max(m.at) newest
    from messages m where ${sql}`,
  );
  const agents = all(
    `with chosen as (select * from messages m where ${sql})
    select agent, sum(sent) sent, sum(received) received from (
      select from_agent agent, 1 sent, 0 received from chosen
      union all select to_agent, 0, 1 from chosen where to_agent is not null
    ) group by agent order by sum(sent) + sum(received) desc, agent limit ${MOST}`,
  );
  const projects = all(
    `select m.project, count(*) messages from messages m where ${sql} and m.project is not null
    group by m.project order by count(*) desc, m.project limit ${MOST}`,
  );
  return {
    messages: number(total.messages),
    answers: number(total.answers),
    asked: number(total.asked),
    answered: number(total.answered),
    expired: number(total.expired),
    oldest: typeof total.oldest === "number" ? new Date(total.oldest).toISOString() : undefined,
    newest: typeof total.newest === "number" ? new Date(total.newest).toISOString() : undefined,
    agents: agents.map(({ agent, sent, received }) => ({
      agent: text(agent) ?? "",
      sent: number(sent),
      received: number(received),
    })),
    projects: projects.map(({ project, messages }) => ({
      project: text(project) ?? "",
      messages: number(messages),
    })),
    unreadable: fact(database, "unreadable") ?? 0,
    bytes: { database: sizeOf(historyPath(dir)), log: sizeOf(agentLogPath(dir)) },
  };
}

function print(stats: HistoryStats, ui: Context["ui"]): void {
  const { messages, answers, asked, answered, expired, oldest, newest, agents, projects, bytes } = stats;
  ui.say(
    `${messages} messages from ${localTime(oldest)} to ${localTime(newest)}, ${answers} of them answers`,
  );
  ui.say(`${answered} of ${asked} that wanted an answer got one; ${expired} expired`);
  ui.say(`${formatSize(bytes.database)} in the database, ${formatSize(bytes.log)} in the log`);
  if (stats.unreadable > 0) ui.say(`${stats.unreadable} lines of the log were damaged and are not counted`);
  ui.block(
    "\n" + table(
      ["AGENT", "SENT", "RECEIVED"],
      agents.map(({ agent, sent, received }) => [agent, String(sent), String(received)]),
      ui,
    ),
  );
  if (projects.length === 0) return;
  const rows = projects.map(({ project, messages }) => [project, String(messages)]);
  ui.block("\n" + table(["PROJECT", "MESSAGES"], rows, ui));
}

function sizeOf(path: string): number {
  try {
    return Deno.lstatSync(path).size;
  } catch {
    return 0;
  }
}
