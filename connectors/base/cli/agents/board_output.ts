import type { Board, BoardSession } from "../../agents/board/board.ts";
import type { Context } from "../command.ts";
import { age } from "../output/age.ts";
import { table } from "../output/layout.ts";

/** Prints the board as text: agents, locks and the newest messages. */
export function printBoard({ ui, binary }: Pick<Context, "ui" | "binary">, board: Board): void {
  const now = Date.now();
  const { sessions, locks, messages, problems } = board;
  if (sessions.length === 0) {
    ui.say("No agent is live.");
    ui.next(`Sessions appear here once a harness was installed with: ${binary} install --agents`);
  } else {
    ui.block(table(
      ["HANDLE", "AGENT", "PROJECT", "STATUS", "SINCE", "UNREAD", "MACHINE"],
      sessions.map((session) => [
        session.handle,
        session.agentId,
        ui.path(session.project),
        activity(session),
        age(now - (session.since ?? session.seenAt)),
        session.unread ? String(session.unread) : "",
        session.here ? "here" : "",
      ]),
      ui,
    ));
  }
  if (locks.length > 0) {
    const rows = locks.map(({ path, scope, holder, since, until, intent }) => [
      ui.path(path) + (scope === "tree" ? "/**" : ""),
      holder,
      since > 0 ? age(now - since) : "",
      age(until - now),
      intent,
    ]);
    ui.block(`\n${table(["LOCKED", "HOLDER", "SINCE", "ENDS IN", "INTENT"], rows, ui)}`);
  }
  if (messages.length > 0) {
    const rows = messages.slice(-SHOWN).map(({ at, from, to, state, text }) => [
      age(now - at),
      from.name,
      to.map(({ name }) => name).join(", "),
      state,
      text.slice(0, 60),
    ]);
    ui.block(`\n${table(["AGE", "FROM", "TO", "STATE", "MESSAGE"], rows, ui)}`);
  }
  for (const problem of problems) ui.warn(problem);
}

const SHOWN = 10;

/** What a session does, in a few words. The daemon knows only that a session was there. */
export function activity({ status, tool, file, waitsFor }: BoardSession): string {
  if (status === undefined) return "live";
  if (waitsFor?.kind === "answer") return `${status} (waits for ${waitsFor.from})`;
  return tool && (status === "working" || status === "waiting")
    ? `${status} (${file ? `${tool} ${file}` : tool})`
    : status;
}

/** The board for programs; times are ISO times. */
export function boardDocument({ sessions, locks, messages, problems }: Board) {
  return {
    agents: sessions.map(({ key, since, seenAt, startedAt, lastMessage, ...session }) => ({
      ...session,
      session: key,
      status: session.status ?? "live",
      since: iso(since ?? seenAt),
      seen: iso(seenAt),
      started: startedAt === 0 ? undefined : iso(startedAt),
      lastMessage: lastMessage?.id,
    })),
    locks: locks.map(({ since, until, ...lock }) => ({ ...lock, since: iso(since), until: iso(until) })),
    messages: messages.map(({ at, ...message }) => ({ at: iso(at), ...message })),
    problems,
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
