import { Locks } from "../../../../hooks/agents/locks/locks.ts";
import { readLines } from "../../../../hooks/agents/locks/lock_log.ts";
import { type Board, type BoardLock, withPeers } from "../../../base/agents/board/board.ts";
import { type BoardFilter, filterBoard } from "../../../base/agents/board/filter_board.ts";
import { watchBoard, type WatchOptions } from "../../../base/agents/board/watch_board.ts";
import type { Mesh } from "../../../base/agents/mesh.ts";
import type { Elsewhere } from "../../../base/agents/peers/reach_peers.ts";
import { type LockBar, lockBars } from "./lock_bars.ts";
import { type Scene, type Update, updateBetween, wholeUpdate } from "./update.ts";

/** As many messages as a page shows without effort, and about as much of the log. */
const LIMIT = 10_000;
const TAIL_BYTES = 32 * 1024 * 1024;

type Listener = (update: Update) => void;

/** Follows the board for every open page: it is read once for all of them. */
export class Feed {
  readonly #mesh: Mesh;
  readonly #filter: BoardFilter;
  readonly #locks: LockLog;
  readonly #listeners = new Set<Listener>();
  #board: Board | undefined;
  #elsewhere: Elsewhere = { peers: [], problems: [] };
  #scene: Scene | undefined;

  constructor(mesh: Mesh, filter: BoardFilter = {}) {
    this.#mesh = mesh;
    this.#filter = filter;
    this.#locks = new LockLog(new Locks(mesh.dir).logPath);
  }

  /** Reads the board until `signal` is aborted. */
  async run(signal: AbortSignal, options: WatchOptions = {}): Promise<void> {
    const limits = { limit: LIMIT, statuses: LIMIT, tailBytes: TAIL_BYTES, ...options };
    for await (const board of watchBoard(this.#mesh, signal, limits)) {
      this.#board = board;
      this.#publish();
    }
  }

  /** Takes up the sessions that are on other machines. */
  reached(elsewhere: Elsewhere): void {
    this.#elsewhere = elsewhere;
    this.#publish();
  }

  #publish(): void {
    if (this.#board === undefined) return;
    const board = filterBoard(withPeers(this.#board, this.#elsewhere), this.#filter);
    const before = this.#scene;
    this.#scene = { board, bars: this.#bars(board) };
    const update = before === undefined ? wholeUpdate(this.#scene) : updateBetween(before, this.#scene);
    if (update !== undefined) { for (const listener of this.#listeners) listener(update); }
  }

  /** With a filter, the locks of the sessions that it selects. */
  #bars({ locks, sessions }: Board): LockBar[] {
    const bars = this.#locks.bars(locks);
    if (this.#filter.project === undefined) return bars;
    const keys = new Set(sessions.map(({ key }) => key));
    return bars.filter(({ key }) => keys.has(key));
  }

  /** Calls `listener` with everything, then with each change. Returns a function that ends it. */
  listen(listener: Listener): () => void {
    if (this.#scene !== undefined) listener(wholeUpdate(this.#scene));
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The lock with this token, as the board last had it. */
  lock(token: string): BoardLock | undefined {
    return this.#scene?.board.locks.find((lock) => lock.token === token);
  }
}

/** locks.jsonl, read again only if it has grown. */
class LockLog {
  #size = -1;
  #lines: Record<string, unknown>[] = [];

  constructor(readonly path: string) {}

  bars(held: readonly BoardLock[]): LockBar[] {
    const size = sizeOf(this.path);
    if (size !== this.#size) {
      this.#size = size;
      this.#lines = readLines(this.path);
    }
    return lockBars(this.#lines, held);
  }
}

function sizeOf(path: string): number {
  try {
    return Deno.lstatSync(path).size;
  } catch {
    return 0;
  }
}
