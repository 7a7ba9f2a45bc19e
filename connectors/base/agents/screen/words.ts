import { projectName } from "../../../../hooks/agents/sessions/handle.ts";
import type { BoardLock, BoardSession } from "../board/board.ts";
import type { BoardMessage } from "../board/recent_messages.ts";
import { line } from "./cells.ts";
import type { Style } from "./line.ts";

/** Where and when the board is looked at. */
export interface View {
  readonly columns: number;
  readonly rows: number;
  /** In ms since 1970. */
  readonly now: number;
  readonly home?: string;
  /** The program, for commands in texts. */
  readonly binary: string;
}

const SPANS: readonly [ms: number, unit: string][] = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1_000, "s"],
];

/** A duration in its largest unit: `3 h`. */
export function duration(ms: number): string {
  for (const [span, unit] of SPANS) if (ms >= span) return `${Math.floor(ms / span)} ${unit}`;
  return "0 s";
}

/** How long ago something was; "" if that is not known. */
export function since(at: number | undefined, { now }: View): string {
  return at === undefined || at === 0 ? "" : duration(now - at);
}

/** A path with `~` for the home directory. */
export function place(path: string, { home }: View): string {
  const clean = line(path);
  return home && clean.startsWith(`${home}/`) ? `~${clean.slice(home.length)}` : clean;
}

export const STATUS_STYLES: Record<string, Style | undefined> = {
  working: "good",
  waiting: "alert",
  starting: "good",
  idle: "dim",
  gone: "dim",
};

/** The daemon knows only that a session was there. */
export function statusOf({ status }: BoardSession): string {
  return status ?? "live";
}

/** What an agent does now, or what it needs to go on. */
export function doing({ status, tool, file, waitsFor, project }: BoardSession, view: View): string {
  if (waitsFor?.kind === "answer") return `waits for ${line(waitsFor.from)}`;
  const target = file === undefined ? "" : ` ${inProject(file, project, view)}`;
  const what = tool === undefined ? "" : `${line(tool)}${target}`;
  if (status === "waiting") return what === "" ? "asks its user" : `asks its user: ${what}`;
  return status === "working" ? what : "";
}

/** A file as it is called in its project. */
function inProject(file: string, project: string, view: View): string {
  return project !== "" && file.startsWith(`${project}/`)
    ? line(file.slice(project.length + 1))
    : place(file, view);
}

export function projectOf({ project }: BoardSession): string {
  return line(projectName(project)) || line(project);
}

/** A locked path; in a shared lock, with the name of its repository. */
export function lockPath({ path, scope, remote }: BoardLock, view: View): string {
  const shown = remote === undefined ? place(path, view) : `${repository(remote)}: ${line(path)}`;
  return shown + (scope === "tree" ? "/**" : "");
}

/** `app` for `git@example.com:team/app.git`. */
function repository(remote: string): string {
  const clean = line(remote).replace(/\/+$/, "").replace(/\.git$/, "");
  return clean.slice(Math.max(clean.lastIndexOf("/"), clean.lastIndexOf(":")) + 1);
}

/** How sure it is that nobody else has the lock. */
export function lockLevel({ kind, reach, remote }: BoardLock): string {
  if (kind === "auto") return "automatic";
  if (remote === undefined) return "this machine";
  return reach === "exact" ? "shared" : reach === "announced" ? "shared, announced" : "shared here";
}

export function receivers({ to }: BoardMessage): string {
  const [first, ...others] = to.map(({ name }) => line(name));
  return others.length === 0 ? first ?? "" : `${first} and ${others.length} more`;
}

export function senderOf({ from }: BoardMessage): string {
  return line(from.name);
}

/** `2 locks`. */
export function count(number: number, singular: string, plural = `${singular}s`): string {
  return `${number} ${number === 1 ? singular : plural}`;
}
