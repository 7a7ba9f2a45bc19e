import { isStale } from "../../../hooks/state/stale.ts";
import type { Os } from "../fs/os.ts";
import type { SyncJob, SyncReport } from "./job.ts";
import { fileVersionSources, withTarget } from "./stamp.ts";
import { syncOnce } from "./sync_once.ts";
import { Wake } from "./debounce.ts";
import { type WatchSet, watchSet } from "./watch_set.ts";

export interface WatchOptions {
  /** Asked again before every sync: a workspace may be named, or appear, later. */
  jobs(): Promise<readonly SyncJob[]>;
  /** Paths whose appearing or changing may change `jobs`: `~/.agents`, `workspace.json`. */
  readonly also?: readonly string[];
  readonly signal: AbortSignal;
  /** Called after every sync, also one that changed nothing. */
  onSync?(reports: readonly SyncReport[]): void;
  /** A sentence about something that went wrong; watching goes on. */
  onTrouble?(sentence: string): void;
  /** How long the files must be quiet before a sync. */
  readonly quietMs?: number;
  /** How often to look without an event: file systems of other machines send none. */
  readonly checkMs?: number;
  readonly os?: Os;
  /** The system's watcher; tests hand in one that refuses. */
  readonly watchFs?: typeof Deno.watchFs;
}

/** However busily the sources are written, a sync comes this soon: a change is followed within 2 s. */
const MAX_DELAY_MS = 1_000;

/** Follows the workspace until `signal` aborts. Sleeps in between: events wake it. */
export async function watch(options: WatchOptions): Promise<void> {
  const { signal, also, quietMs = 100, checkMs = 30_000, onSync, onTrouble } = options;
  const wake = new Wake();
  const ears = new Ears(wake, options.watchFs ?? Deno.watchFs, onTrouble);
  try {
    while (!signal.aborted) {
      // Listening begins before reading, so that no change falls in between.
      const expected = await options.jobs();
      ears.listen(() => watchSet(expected, also));
      const jobs = await options.jobs();
      if (!sameWorkspaces(jobs, expected)) wake.ring();
      const sources = jobs.map(fileVersionSources);
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
            }); it is tried again.`,
          );
        }
      }
      const stamps = sources.map((stamp, i) => jobs[i] === undefined ? stamp : withTarget(stamp, jobs[i]));
      onSync?.(reports);
      const pause = ears.deaf ? Math.min(checkMs, 1_000) : checkMs;
      while (!await wake.rung(pause, signal) && !signal.aborted) {
        if (failed || stamps.some((stamp) => isStale(stamp)) || ears.moved()) wake.ring();
      }
      await wake.settled(quietMs, MAX_DELAY_MS, signal);
    }
  } finally {
    await ears.close();
  }
}

function sameWorkspaces(a: readonly SyncJob[], b: readonly SyncJob[]): boolean {
  const key = (jobs: readonly SyncJob[]) =>
    JSON.stringify(jobs.map(({ harness, workspace }) => [harness, workspace]));
  return key(a) === key(b);
}

/** The file watcher of the moment, replaced when there are other directories to watch. */
class Ears {
  #watcher: Deno.FsWatcher | undefined;
  #set: WatchSet | undefined;
  #look: (() => WatchSet) | undefined;
  #pump: Promise<void> = Promise.resolve();
  /** Whether the system refused to watch, so that looking often has to do. */
  deaf = false;

  constructor(
    private readonly wake: Wake,
    private readonly watchFs: typeof Deno.watchFs,
    private readonly onTrouble?: (sentence: string) => void,
  ) {}

  listen(look: () => WatchSet): void {
    this.#look = look;
    // A directory may come or go between looking and watching: look again until nothing moved.
    for (let tries = 0; tries < 5; tries++) {
      const set = look();
      const same = set.key === this.#set?.key && this.#watcher !== undefined;
      this.#set = set;
      if (same) return;
      this.#stop();
      if (set.directories.length === 0) return;
      try {
        this.#watcher = this.watchFs([...set.directories], { recursive: false });
        this.deaf = false;
        this.#pump = this.#hear(this.#watcher);
      } catch (error) {
        if (error instanceof Deno.errors.NotFound) continue;
        if (!this.deaf) {
          this.onTrouble?.(
            `The system does not watch files (${
              error instanceof Error ? error.message : error
            }); looking once a second instead.`,
          );
        }
        this.deaf = true;
        return;
      }
    }
  }

  /** Whether there are other directories to watch than when listening began. */
  moved(): boolean {
    return this.#look !== undefined && this.#look().key !== this.#set?.key;
  }

  async #hear(watcher: Deno.FsWatcher): Promise<void> {
    for await (const event of watcher) {
      // `access` is a read, or the end of a write whose `modify` came before it.
      if (event.kind === "access") continue;
      if (event.flag === "rescan" || event.paths.some((path) => this.#set?.matters(path))) this.wake.ring();
    }
  }

  #stop(): void {
    try {
      this.#watcher?.close();
    } catch {
      // It closes itself where the system took its last directory away.
    }
    this.#watcher = undefined;
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#pump;
  }
}
