import { type Artifact, type Message, type StreamResponse, type Task, TaskState } from "@a2a-js/sdk";
import { TaskFeed } from "./task_feed.ts";
import { agentMessage } from "./task_parts.ts";
import { isInterrupted, isTerminal } from "./task_state.ts";
import type { NewTask, StoredTask, TaskStore } from "./task_store.ts";

/** What happens to a task. */
export interface TaskChange {
  readonly state?: TaskState;
  /** What the agent or the gateway has to say about the new state. */
  readonly text?: string;
  /** `append` continues the artifact of the same id; `last` is false while more of it follows. */
  readonly artifact?: Artifact;
  readonly append?: boolean;
  readonly last?: boolean;
  /** A message of the client that belongs to the task. */
  readonly message?: Message;
}

type Listener = (event: StreamResponse) => void;

/** Called after each event, with the task as it is then. */
export type TaskObserver = (task: StoredTask, event: StreamResponse) => void;

/**
 * The only place where tasks change: a change is on disk before anybody hears of
 * it, every stream hears of it in the same order, and what is done stays done.
 */
export class TaskBoard {
  readonly store: TaskStore;
  readonly #observe: TaskObserver;
  readonly #listeners = new Map<string, Set<Listener>>();

  constructor(store: TaskStore, observe: TaskObserver = () => {}) {
    this.store = store;
    this.#observe = observe;
  }

  /** Adds a task. Not `fresh`: the client sent this message before. */
  add(task: NewTask): { stored: StoredTask; fresh: boolean } {
    const stored = this.store.add(task);
    const fresh = stored === task;
    if (fresh) this.#observe(stored, { payload: { $case: "task", value: stored.task } });
    return { stored, fresh };
  }

  /** Changes a task. Undefined if there is none, or if it is done already. */
  change(id: string, change: TaskChange): Task | undefined {
    const stored = this.store.find(id);
    if (stored === undefined || isTerminal(stored.task.status?.state)) return undefined;
    const { task: before } = stored;
    const { artifact, state, text, message } = change;
    const hasNewState = state !== undefined && (state !== before.status?.state || text !== undefined);
    const status = hasNewState
      ? {
        state,
        message: text === undefined ? undefined : agentMessage(before, text),
        timestamp: new Date().toISOString(),
      }
      : before.status;
    const task: Task = {
      ...before,
      status,
      artifacts: artifact === undefined ? before.artifacts : withArtifact(before.artifacts, artifact, change),
      history: message === undefined ? before.history : [...before.history, message],
    };
    this.store.save(task);
    const now = { ...stored, task };
    const event = { taskId: id, contextId: task.contextId, metadata: undefined };
    if (artifact !== undefined) {
      const { append = false, last = true } = change;
      const value = { ...event, artifact, append, lastChunk: last };
      this.#tell(now, { payload: { $case: "artifactUpdate", value } });
    }
    if (hasNewState) this.#tell(now, { payload: { $case: "statusUpdate", value: { ...event, status } } });
    return task;
  }

  /** Listens to a task from now on. */
  feed(id: string): TaskFeed {
    return new TaskFeed((listener) => {
      const listeners = this.#listeners.get(id) ?? new Set();
      this.#listeners.set(id, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) this.#listeners.delete(id);
      };
    });
  }

  /** Waits until a task is done or needs somebody, or the time is up, and returns it as it is then. */
  async settled(id: string, ms: number, signal?: AbortSignal): Promise<Task | undefined> {
    using feed = this.feed(id);
    const close = () => feed.close();
    const timer = setTimeout(close, ms);
    signal?.addEventListener("abort", close, { once: true });
    try {
      while (!isSettled(this.store.find(id)?.task)) {
        if (await feed.next() === undefined) break;
      }
      return this.store.find(id)?.task;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", close);
    }
  }

  /** How many streams and waiting calls there are. */
  get listening(): number {
    return this.#listeners.values().reduce((sum, listeners) => sum + listeners.size, 0);
  }

  #tell(stored: StoredTask, event: StreamResponse): void {
    this.#observe(stored, event);
    for (const listener of [...this.#listeners.get(stored.task.id) ?? []]) listener(event);
  }
}

function isSettled(task: Task | undefined): boolean {
  const state = task?.status?.state;
  return task === undefined || isTerminal(state) || isInterrupted(state);
}

function withArtifact(artifacts: Artifact[], artifact: Artifact, { append }: TaskChange): Artifact[] {
  if (!append) return [...artifacts, artifact];
  return artifacts.map((each) =>
    each.artifactId === artifact.artifactId ? { ...each, parts: [...each.parts, ...artifact.parts] } : each
  );
}
