import type { Mesh } from "../mesh.ts";
import { type Board, BoardReader } from "./board.ts";
import type { MessageOptions } from "./recent_messages.ts";

export interface WatchOptions extends MessageOptions {
  /** How long to collect changes before the board is read again. */
  readonly settleMs?: number;
  /** How often to look for what changes no file: a killed process, the end of a lease. */
  readonly pollMs?: number;
  readonly watchFs?: typeof Deno.watchFs;
}

const SETTLE_MS = 100;
const POLL_MS = 2_000;

/**
 * Yields the board, and again each time that something on it has changed, until
 * `signal` is aborted. Changes that come together are yielded together.
 */
export async function* watchBoard(
  mesh: Mesh,
  signal: AbortSignal,
  options: WatchOptions = {},
): AsyncGenerator<Board> {
  const { settleMs = SETTLE_MS, pollMs = POLL_MS } = options;
  const reader = new BoardReader(mesh, options);
  using changes = new Changes(mesh.dir, options.watchFs ?? Deno.watchFs);
  let shown: Board | undefined;
  while (!signal.aborted) {
    // Before it is read: a change during the read then leads to another read.
    const changed = changes.next();
    const board = reader.read();
    if (shown === undefined || !isSame(shown, board)) {
      shown = board;
      yield board;
    }
    await first([changed, pause(pollMs, signal)], signal);
    await pause(settleMs, signal).done;
  }
}

function isSame(a: Board, b: Board): boolean {
  return a.messages === b.messages && JSON.stringify(rest(a)) === JSON.stringify(rest(b));
}

function rest({ sessions, locks, problems }: Board) {
  return { sessions, locks, problems };
}

interface Wait {
  readonly done: Promise<void>;
  cancel?(): void;
}

async function first(waits: readonly Wait[], signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await Promise.race(waits.map(({ done }) => done));
  for (const wait of waits) wait.cancel?.();
}

function pause(ms: number, signal: AbortSignal): Required<Wait> {
  const { promise: done, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const cancel = () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", cancel);
    resolve();
  };
  if (signal.aborted) cancel();
  else signal.addEventListener("abort", cancel);
  done.then(cancel);
  return { done, cancel };
}

/** Notices of changed files below a directory, as far as the system gives any. */
class Changes implements Disposable {
  readonly #dir: string;
  readonly #watchFs: typeof Deno.watchFs;
  #watcher?: Deno.FsWatcher;
  #waiting = Promise.withResolvers<void>();

  constructor(dir: string, watchFs: typeof Deno.watchFs) {
    this.#dir = dir;
    this.#watchFs = watchFs;
  }

  /** Resolves at the next change after this call. */
  next(): Wait {
    this.#waiting = Promise.withResolvers<void>();
    if (this.#watcher === undefined) this.#start();
    return { done: this.#waiting.promise };
  }

  #start(): void {
    try {
      this.#watcher = this.#watchFs(this.#dir, { recursive: true });
      this.#listen(this.#watcher);
    } catch {
      // There is no directory yet, or no watch left on this machine: the poll finds changes too.
    }
  }

  async #listen(watcher: Deno.FsWatcher): Promise<void> {
    try {
      // Reading the files is an event too, which would lead to another read.
      for await (const { kind } of watcher) if (kind !== "access") this.#waiting.resolve();
    } catch {
      // The watch failed: the next call starts another.
    }
    if (this.#watcher === watcher) this.#watcher = undefined;
  }

  [Symbol.dispose](): void {
    try {
      this.#watcher?.close();
    } catch {
      // It has ended by itself.
    }
    this.#watcher = undefined;
  }
}
