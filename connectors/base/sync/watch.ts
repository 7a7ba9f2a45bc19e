import { isStale } from "../../../hooks/state/stale.ts";
import type { Os } from "../fs/os.ts";
import type { SyncJob } from "./sync_job.ts";
import { stampSources, withTarget } from "./source_stamp.ts";
import { syncOnce, type SyncReport } from "./sync_once.ts";
import { Debounce } from "./debounce.ts";
import { type WatchSet, watchSet } from "./watch_set.ts";

export interface WatchOptions {
  /** Called before every sync: a workspace may be configured or created later. */
  jobs(): Promise<readonly SyncJob[]>;
  /** Paths that may change `jobs`: `~/.agents`, `workspace.json`. */
  readonly also?: readonly string[];
  readonly signal: AbortSignal;
  /** Called after every sync, even if it changed nothing. */
  onSync?(reports: readonly SyncReport[]): void;
  /** Called with a message for each problem; watching continues. */
  onTrouble?(sentence: string): void;
  /** How long the files must be quiet before a sync. */
  readonly quietMs?: number;
  /** How often to poll: network file systems send no events. */
  readonly checkMs?: number;
  readonly os?: Os;
  /** The watcher of the system; tests pass one that fails. */
  readonly watchFs?: typeof Deno.watchFs;
}

/** The longest delay of a sync while sources keep changing, so that every change is synced within 2 s. */
const MAX_DELAY_MS = 1_000;

/** Deno keeps this many events for a program that is busy, and drops the others without a word. */
const KEPT_EVENTS = 16;

/** Syncs whenever the workspace changes, until `signal` aborts. */
export async function watch(options: WatchOptions): Promise<void> {
  const { signal, also, quietMs = 100, checkMs = 30_000, onSync, onTrouble } = options;
  const changes = new Debounce();
  const watcher = new SourceWatcher(changes, options.watchFs ?? Deno.watchFs, onTrouble);
  try {
    while (!signal.aborted) {
      // Watching starts before reading, so that no change is missed.
      const expected = await options.jobs();
      watcher.follow(() => watchSet(expected, also));
      const jobs = await options.jobs();
      if (!sameWorkspaces(jobs, expected)) changes.trigger();
      const sources = jobs.map(stampSources);
      const reports: SyncReport[] = [];
      let failed = false;
      for (const job of jobs) {
        try {
          reports.push(await syncOnce(job, options.os));
        } catch (error) {
          failed = true;
          onTrouble?.(
            `${job.harness}: sync failed (${
              error instanceof Error ? error.message : error
            }); it will be retried.`,
          );
        }
      }
      const stamps = sources.map((stamp, i) => jobs[i] === undefined ? stamp : withTarget(stamp, jobs[i]));
      onSync?.(reports);
      const pause = watcher.polling ? Math.min(checkMs, 1_000) : checkMs;
      let lookAt = performance.now() + pause;
      while (!await changes.triggered(lookAt - performance.now(), quietMs, signal) && !signal.aborted) {
        // A sync that failed is retried at its time, not whenever other files change.
        const isDue = performance.now() >= lookAt;
        if (isDue) lookAt = performance.now() + pause;
        if (
          (failed && isDue) || stamps.some((stamp) => isStale(stamp)) || watcher.isOutdated() ||
          !sameWorkspaces(await options.jobs(), jobs)
        ) changes.trigger();
      }
      await changes.quiet(quietMs, MAX_DELAY_MS, signal);
    }
  } finally {
    await watcher.close();
  }
}

function sameWorkspaces(a: readonly SyncJob[], b: readonly SyncJob[]): boolean {
  const key = (jobs: readonly SyncJob[]) =>
    JSON.stringify(jobs.map(({ harness, workspace }) => [harness, workspace]));
  return key(a) === key(b);
}

/** The current file watcher, replaced when the directories to watch change. */
class SourceWatcher {
  #watcher: Deno.FsWatcher | undefined;
  #set: WatchSet | undefined;
  #watchSet: (() => WatchSet) | undefined;
  #consumer: Promise<void> = Promise.resolve();
  /** Whether the system refused to watch, so that polling replaces it. */
  polling = false;

  constructor(
    private readonly changes: Debounce,
    private readonly watchFs: typeof Deno.watchFs,
    private readonly onTrouble?: (sentence: string) => void,
  ) {}

  follow(currentSet: () => WatchSet): void {
    this.#watchSet = currentSet;
    // A directory may appear or vanish before the watch starts: retry until the set is stable.
    for (let tries = 0; tries < 5; tries++) {
      const set = currentSet();
      const same = set.key === this.#set?.key && this.#watcher !== undefined;
      this.#set = set;
      if (same) return;
      this.#stop();
      if (set.directories.length === 0) return;
      try {
        this.#watcher = this.watchFs([...set.directories], { recursive: false });
        this.polling = false;
        this.#consumer = this.#consume(this.#watcher);
      } catch (error) {
        if (error instanceof Deno.errors.NotFound) continue;
        if (!this.polling) {
          this.onTrouble?.(
            `The system cannot watch files (${
              error instanceof Error ? error.message : error
            }); checking once a second instead.`,
          );
        }
        this.polling = true;
        return;
      }
    }
  }

  /** Whether the directories to watch changed since the watch started. */
  isOutdated(): boolean {
    return this.#watchSet !== undefined && this.#watchSet().key !== this.#set?.key;
  }

  async #consume(watcher: Deno.FsWatcher): Promise<void> {
    let received = 0;
    for await (const event of watcher) {
      // A dropped event is followed by as many as are kept, whatever files they are about.
      if (++received % KEPT_EVENTS === 0) this.changes.doubt();
      // `access` is a read, or the end of a write whose `modify` came before it.
      if (event.kind === "access") continue;
      if (event.flag === "rescan" || event.paths.some((path) => this.#set?.matters(path))) {
        this.changes.trigger();
      }
    }
  }

  #stop(): void {
    try {
      this.#watcher?.close();
    } catch {
      // It closes itself when its last directory is removed.
    }
    this.#watcher = undefined;
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#consumer;
  }
}
