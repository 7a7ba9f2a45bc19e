import { diffLines, sharedEnds, splitLines } from "../../edit/text/diff.ts";
import type { Change, Plan } from "./plan.ts";
import { decode } from "../../fs/text_bytes.ts";

export interface ShowOptions {
  readonly color?: boolean;
  /** Shown as `~`. */
  readonly home?: string;
  /** Shows a new generated file as one line, so that changes to the user's files stand out. */
  readonly brief?: boolean;
}

const CONTEXT = 3;
const RED = 31;
const GREEN = 32;
const CYAN = 36;
const BOLD = 1;

/** A plan for people: a unified diff for each file, a line for everything else, no secrets. */
export function showPlan(plan: Plan, options: ShowOptions = {}): string {
  const paint = (code: number, text: string) => options.color ? `\x1b[${code}m${text}\x1b[0m` : text;
  const short = (path: string) => {
    const { home } = options;
    return visible(
      home && (path === home || path.startsWith(home + "/")) ? "~" + path.slice(home.length) : path,
    );
  };
  // Several harnesses may install the same program.
  const shown = plan.changes.filter((change, i) =>
    change.kind !== "program" ||
    plan.changes.findIndex((other) => other.kind === "program" && other.path === change.path) === i
  );
  return shown.map((change) =>
    options.brief && change.kind === "write" && change.target === "file" && !change.before
      ? paint(GREEN, `+ file ${short(change.path)} (${splitLines(text(change.after)).length} lines)`) + "\n"
      : showChange(change, paint, short)
  ).join("");
}

type Paint = (code: number, text: string) => string;
type Short = (path: string) => string;

function showChange(change: Change, paint: Paint, short: Short): string {
  const path = short(change.path);
  switch (change.kind) {
    case "link":
      return paint(GREEN, `+ link ${path} -> ${short(change.to)}`) + "\n";
    case "unlink":
      return paint(RED, `- link ${path} -> ${short(change.was)}`) + "\n";
    case "program":
      return paint(GREEN, `+ program ${path} (a copy of ${short(change.from)})`) + "\n";
    case "remove-program":
      return paint(RED, `- program ${path}`) + "\n";
    case "write":
    case "remove": {
      const after = change.kind === "write" ? change.after : undefined;
      const names =
        paint(BOLD, `--- ${change.before ? path : "/dev/null"}\n+++ ${after ? path : "/dev/null"}`) + "\n";
      if (change.target === "secret") return names + showKeys(change.before, after, paint);
      const notes = change.kind === "write" ? change.notes ?? [] : [];
      return names + notes.map((note) => paint(CYAN, `# ${note}`) + "\n").join("") +
        showDiff(text(change.before), text(after), paint);
    }
  }
}

function text(bytes: Uint8Array | undefined): string {
  return bytes ? decode(bytes) ?? "" : "";
}

function showDiff(before: string, after: string, paint: Paint): string {
  const { head, tail } = sharedEnds(before, after, CONTEXT);
  const a = splitLines(before.slice(head, before.length - tail));
  const b = splitLines(after.slice(head, after.length - tail));
  const above = countLines(before.slice(0, head));
  const hunks = diffLines(a, b);
  let out = "";
  for (let i = 0; i < hunks.length;) {
    let j = i;
    while (j + 1 < hunks.length && (hunks[j + 1]?.aStart ?? 0) - (hunks[j]?.aEnd ?? 0) <= 2 * CONTEXT) j++;
    const group = hunks.slice(i, j + 1);
    i = j + 1;
    const first = group[0];
    const last = group.at(-1);
    if (!first || !last) break;
    const aFrom = Math.max(0, first.aStart - CONTEXT);
    const aTo = Math.min(a.length, last.aEnd + CONTEXT);
    const bFrom = first.bStart - (first.aStart - aFrom);
    const bTo = last.bEnd + (aTo - last.aEnd);
    out += paint(CYAN, `@@ -${span(above + aFrom, above + aTo)} +${span(above + bFrom, above + bTo)} @@`) +
      "\n";
    let at = aFrom;
    for (const hunk of group) {
      for (; at < hunk.aStart; at++) out += line(" ", a[at], undefined, paint);
      for (; at < hunk.aEnd; at++) out += line("-", a[at], RED, paint);
      for (let k = hunk.bStart; k < hunk.bEnd; k++) out += line("+", b[k], GREEN, paint);
    }
    for (; at < aTo; at++) out += line(" ", a[at], undefined, paint);
  }
  return out;
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

function span(from: number, to: number): string {
  const count = to - from;
  return `${count === 0 ? from : from + 1}${count === 1 ? "" : `,${count}`}`;
}

function line(mark: string, content: string | undefined, color: number | undefined, paint: Paint): string {
  const raw = content ?? "";
  const body = mark + visible(hidden(raw.replace(/\r?\n$/, "")));
  const ending = raw.endsWith("\n") ? "" : "\n\\ No newline at end of file";
  return (color === undefined ? body : paint(color, body)) + ending + "\n";
}

/** Hides keys of other programs near our lines: a diff gets pasted into bug reports. */
function hidden(content: string): string {
  return content.replace(
    /((?:api[-_]?key|token|secret|password|passwd|authorization|credential)[\w-]*["']?\s*[:=]\s*)(["']?)([^"',\s][^"',]*)/gi,
    (_, key, quote, value) =>
      `${key}${quote}${/^(?:true|false|null|\d{1,4}|[{[].*)$/.test(value) ? value : "[hidden]"}`,
  );
}

/** Replaces control characters, which could change the terminal. */
function visible(content: string): string {
  // deno-lint-ignore no-control-regex -- control characters are what it looks for
  return content.replace(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g, "\uFFFD");
}

/** Fields of the credentials that may be shown; all others are hidden. */
const OPEN_KEYS = new Set([
  "url",
  "agentId",
  "connectorId",
  "machineId",
  "workspace",
  "insecureHttp",
  "options",
]);

function showKeys(before: Uint8Array | undefined, after: Uint8Array | undefined, paint: Paint): string {
  const was = keys(before);
  const is = keys(after);
  let out = "";
  for (const key of new Set([...was.keys(), ...is.keys()])) {
    if (was.get(key) === is.get(key)) continue;
    const shown = (value: string | undefined) => OPEN_KEYS.has(key) ? visible(value ?? "") : "[hidden]";
    if (was.has(key)) out += paint(RED, `-${visible(key)}: ${shown(was.get(key))}`) + "\n";
    if (is.has(key)) out += paint(GREEN, `+${visible(key)}: ${shown(is.get(key))}`) + "\n";
  }
  return out;
}

function keys(bytes: Uint8Array | undefined): Map<string, string> {
  try {
    const value: unknown = JSON.parse(text(bytes) || "{}");
    return new Map(Object.entries(value ?? {}).map(([key, item]) => [key, JSON.stringify(item)]));
  } catch {
    return new Map([["contents", text(bytes)]]);
  }
}
