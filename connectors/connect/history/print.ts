import { stripControls } from "../../../hooks/context_text/strip_controls.ts";
import { truncate } from "../../../hooks/context_text/truncate.ts";
import type { Context } from "../../base/cli/command.ts";
import { table } from "../../base/cli/output/layout.ts";
import { localTime } from "../../base/cli/agents/log_filter.ts";
import type { HistoryMessage } from "../../base/history/messages.ts";

const HEADINGS = ["TIME", "ID", "FROM", "TO", "STATE", "TEXT"];
/** On a narrow terminal a message is a block, and its text may take a few lines. */
const NARROW_TEXT = 200;
const LEAST_TEXT = 12;
/** The time in an id and a little more: `show` finds a message by the beginning of its id. */
const ID_DIGITS = 14;

/** A line per message. Texts and names are other people's: they must not control the terminal. */
export function messageTable(messages: readonly HistoryMessage[], ui: Context["ui"]): string {
  const rows = messages.map(({ at, id, from, to, state }) =>
    [shortTime(at), id.slice(0, ID_DIGITS), from, to, state].map(oneLine)
  );
  const taken = HEADINGS.slice(0, -1).reduce(
    (sum, heading, i) => sum + 2 + Math.max(heading.length, ...rows.map((row) => row[i]?.length ?? 0)),
    0,
  );
  const room = ui.width - taken < LEAST_TEXT ? NARROW_TEXT : ui.width - taken;
  return table(HEADINGS, rows.map((row, i) => [...row, shortened(messages[i]?.text ?? "", room)]), ui);
}

/** A message with what happened to it. */
export function printMessage(message: HistoryMessage, ui: Context["ui"]): void {
  const { from, fromAgent, verified, to, at, id, priority, replyTo, project, thread, state } = message;
  const parts = [
    `(agent ${fromAgent}${verified ? "" : ", not verified"})`,
    `to ${to}`,
    localTime(at),
    id,
    priority === 3 ? "" : `priority ${priority}`,
    replyTo ? `answers ${replyTo}` : "",
    project ? `project ${project}` : "",
    thread ? `thread ${thread}` : "",
    state,
  ];
  ui.say(`${ui.bold(oneLine(from))} ${parts.filter((part) => part !== "").map(oneLine).join(" · ")}`);
  ui.block(`  ${stripControls(message.text).trim().replaceAll("\n", "\n  ")}\n`);
  for (const event of message.events) {
    const words = oneLine(`${WORDS[event.event] ?? event.event} ${event.who}`);
    ui.say(ui.dim(`  ${localTime(event.at)}  ${words}`));
  }
}

const WORDS: Record<string, string> = {
  put: "in the inbox of",
  shown: "seen by",
  "passed on": "unread, passed on by",
  expired: "expired for",
  sent: "sent to",
};

/** The time of a message of this year, and the date of an older one. */
function shortTime(at: string): string {
  const [date = "", time = ""] = localTime(at).split(" ");
  return new Date(at).getFullYear() === new Date().getFullYear()
    ? `${date.slice(5)} ${time.slice(0, 5)}`
    : date;
}

function shortened(text: string, room: number): string {
  return truncate(oneLine(text.slice(0, 4 * room)), room - 1);
}

function oneLine(text: string): string {
  return stripControls(text).replace(/\s+/g, " ").trim();
}
