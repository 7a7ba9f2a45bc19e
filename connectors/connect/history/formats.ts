import { stripControls } from "../../../hooks/context_text/strip_controls.ts";
import { jsonDocument } from "../../base/cli/output/json_document.ts";
import type { HistoryMessage } from "../../base/history/messages.ts";

export const FORMATS = ["json", "csv", "md"] as const;
export type Format = typeof FORMATS[number];

/** Messages as a file. */
export function formatMessages(messages: readonly HistoryMessage[], format: Format): string {
  switch (format) {
    case "json":
      return json(messages);
    case "csv":
      return csv(messages);
    case "md":
      return markdown(messages);
  }
}

/** JSON escapes most control characters; terminals also act on those of C1. */
function json(messages: readonly HistoryMessage[]): string {
  return jsonDocument({ messages }).replace(
    /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

const COLUMNS = [
  "id",
  "at",
  "kind",
  "priority",
  "from",
  "fromAgent",
  "verified",
  "to",
  "toAgent",
  "project",
  "thread",
  "replyTo",
  "state",
  "text",
] as const;

/** RFC 4180. */
function csv(messages: readonly HistoryMessage[]): string {
  const heading = COLUMNS.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  const rows = messages.map((message) => COLUMNS.map((name) => cell(String(message[name] ?? ""))));
  return [heading, ...rows].map((row) => `${row.join(",")}\r\n`).join("");
}

/** Spreadsheets run a cell that begins like this; the quote before it makes it text. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;

function cell(value: string): string {
  const text = stripControls(value);
  return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}

function markdown(messages: readonly HistoryMessage[]): string {
  return ["# Messages\n", ...messages.map(section)].join("\n");
}

function section(
  { id, at, from, fromAgent, to, state, project, thread, replyTo, text }: HistoryMessage,
): string {
  const facts = [
    ["id", id],
    ["agent", fromAgent],
    ["project", project],
    ["thread", thread],
    ["answers", replyTo],
    ["state", state],
  ].flatMap(([name, value]) => value ? [`- ${name}: ${code(value)}`] : []);
  const body = stripControls(text);
  // A longer fence than any in the text: the text cannot end the block.
  const fence = "`".repeat(Math.max(3, longestTicks(body) + 1));
  return `## ${at} ${code(from)} to ${code(to)}\n\n${facts.join("\n")}\n\n${fence}text\n${body}\n${fence}\n`;
}

/** Names are other people's words: shown as they are, on one line. */
function code(value: string): string {
  const text = stripControls(value).replace(/\s+/g, " ").trim();
  const ticks = "`".repeat(longestTicks(text) + 1);
  const space = /^`|`$/.test(text) ? " " : "";
  return `${ticks}${space}${text}${space}${ticks}`;
}

function longestTicks(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
