import type { Board, BoardLock, BoardSession } from "../board/board.ts";
import type { BoardMessage } from "../board/recent_messages.ts";

/** `watch`: one list at a time. `monitor`: agents, locks and messages together. */
export type Layout = "watch" | "monitor";

export type Panel = "agents" | "locks" | "messages";
export const PANELS: readonly Panel[] = ["agents", "locks", "messages"];

/** What the user has chosen and typed. What agents do is on the board. */
export interface ScreenState {
  readonly layout: Layout;
  /** The list that the keys act on. */
  readonly focus: Panel;
  readonly selected: Record<Panel, Selection>;
  /** What is shown in place of the lists. */
  readonly view: "lists" | "details" | "keys";
  /** How many lines of the view are above the screen. */
  readonly scroll: number;
  readonly prompt?: Prompt;
  /** The result of the last action. */
  readonly notice?: Notice;
}

/** A row, by its id: rows come and go. If it is gone, the row in its place. */
export interface Selection {
  readonly id: string;
  readonly index: number;
}

export type Prompt =
  /** A message is being written to a session. `cursor` counts characters. */
  | {
    readonly kind: "message";
    readonly to: BoardSession;
    readonly text: readonly string[];
    readonly cursor: number;
  }
  /** Whether to free this lock. */
  | { readonly kind: "release"; readonly lock: BoardLock };

export interface Notice {
  readonly text: string;
  readonly isProblem: boolean;
}

/** What the screen cannot do by itself. */
export type Effect =
  | { readonly kind: "quit"; readonly by: "key" | "interrupt" }
  | { readonly kind: "suspend" }
  | { readonly kind: "redraw" }
  | { readonly kind: "send"; readonly to: BoardSession; readonly text: string }
  | { readonly kind: "jump"; readonly to: BoardSession }
  | { readonly kind: "release"; readonly lock: BoardLock };

const FIRST: Selection = { id: "", index: 0 };

export function initialState(layout: Layout): ScreenState {
  return {
    layout,
    focus: "agents",
    selected: { agents: FIRST, locks: FIRST, messages: FIRST },
    view: "lists",
    scroll: 0,
  };
}

/** The rows of each list, as they are shown: the newest message first. */
export function rowsOf(board: Board): {
  agents: readonly BoardSession[];
  locks: readonly BoardLock[];
  messages: readonly BoardMessage[];
} {
  return { agents: board.sessions, locks: board.locks, messages: board.messages.toReversed() };
}

export function rowIds(board: Board, panel: Panel): string[] {
  switch (panel) {
    case "agents":
      return board.sessions.map(({ harness, key }) => `${harness} ${key}`);
    case "locks":
      return board.locks.map(({ token, path }) => token || path);
    case "messages":
      return board.messages.map(({ id }) => id).reverse();
  }
}

/** The selected row of a list; 0 in an empty one. */
export function selectedIndex(state: ScreenState, board: Board, panel: Panel): number {
  const ids = rowIds(board, panel);
  const { id, index } = state.selected[panel];
  const at = ids.indexOf(id);
  return at >= 0 ? at : Math.max(0, Math.min(index, ids.length - 1));
}

/** The session that the selected row is about: the agent, a lock's holder, a message's sender or receiver. */
export function selectedSession(state: ScreenState, board: Board): BoardSession | undefined {
  const { agents, locks, messages } = rowsOf(board);
  const index = selectedIndex(state, board, state.focus);
  switch (state.focus) {
    case "agents":
      return agents[index];
    case "locks": {
      const lock = locks[index];
      return agents.find(({ key, harness }) => key === lock?.session && harness === lock.harness);
    }
    case "messages": {
      const message = messages[index];
      const keys = message === undefined ? [] : [message.from, ...message.to].map(({ key }) => key);
      return keys.map((key) => agents.find((session) => session.key === key))
        .find((session) => session !== undefined);
    }
  }
}
