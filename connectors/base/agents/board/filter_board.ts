import type { Board } from "./board.ts";

/** Which sessions to show; without any, all. */
export interface BoardFilter {
  /** A directory, or the name of one. */
  readonly project?: string;
  /** Ids of harnesses. */
  readonly harnesses?: readonly string[];
}

/** The sessions that a filter selects, with their locks and messages. */
export function filterBoard(board: Board, { project, harnesses }: BoardFilter): Board {
  if (project === undefined && harnesses === undefined) return board;
  const sessions = board.sessions.filter((session) =>
    (project === undefined || isIn(session.project, project)) &&
    (harnesses === undefined || harnesses.includes(session.harness))
  );
  const keys = new Set(sessions.map(({ key }) => key));
  return {
    ...board,
    sessions,
    locks: board.locks.filter(({ session }) => keys.has(session)),
    messages: board.messages.filter(({ from, to }) => [from, ...to].some(({ key = "" }) => keys.has(key))),
    statuses: board.statuses?.filter(({ key }) => keys.has(key)),
  };
}

/** Whether a session's project is a directory or below it, or has its name. */
export function isIn(project: string, given: string): boolean {
  const path = given.startsWith("/") || given === "~" ? given : `${Deno.cwd()}/${given}`.replace(/\/\.$/, "");
  return project === path || project.startsWith(`${path}/`) || project.split(/[\\/]/).at(-1) === given;
}
