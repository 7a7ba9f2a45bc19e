import { TaskState } from "@a2a-js/sdk";
import type { Message } from "../../../../hooks/agents/messages/message.ts";
import { newNonce, wrapMessages } from "../../../../hooks/agents/messages/wrap.ts";
import type { Surroundings } from "../../../../hooks/state/paths.ts";
import { runHeadless } from "../../../base/agents/wake/headless.ts";
import type { Harness } from "../../../base/harness.ts";
import type { TaskBoard } from "../tasks/task_board.ts";
import { textArtifact } from "../tasks/task_parts.ts";

export interface RunOptions {
  readonly board: TaskBoard;
  readonly host: Surroundings;
  /** The directory that runs work in. */
  readonly cwd: string;
  /** How many runs there may be at once. */
  readonly most: number;
  readonly timeoutMs: number;
}

interface Run {
  readonly task: string;
  readonly harness: Harness;
  readonly message: Message;
  readonly stop: AbortController;
}

/** Runs harnesses without a terminal, one per task. The rest waits. */
export class HeadlessRuns {
  readonly #options: RunOptions;
  readonly #waiting: Run[] = [];
  readonly #running = new Map<Run, Promise<void>>();
  #stopped = false;

  constructor(options: RunOptions) {
    this.#options = options;
  }

  add(task: string, harness: Harness, message: Message): void {
    this.#waiting.push({ task, harness, message, stop: new AbortController() });
    this.#next();
  }

  has(task: string): boolean {
    return [...this.#waiting, ...this.#running.keys()].some((run) => run.task === task);
  }

  /** Ends the run of a task, or takes it out of those that wait. */
  cancel(task: string): void {
    const index = this.#waiting.findIndex((run) => run.task === task);
    if (index >= 0) this.#waiting.splice(index, 1);
    for (const run of this.#running.keys()) if (run.task === task) run.stop.abort();
  }

  /** Ends every run; tasks that wait are begun again after the next start. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const run of this.#running.keys()) run.stop.abort();
    await Promise.allSettled(this.#running.values());
  }

  #next(): void {
    const { most } = this.#options;
    while (!this.#stopped && this.#running.size < most) {
      const run = this.#waiting.shift();
      if (run === undefined) return;
      const running = this.#run(run).finally(() => {
        this.#running.delete(run);
        this.#next();
      });
      this.#running.set(run, running);
    }
  }

  async #run({ task, harness, message, stop }: Run): Promise<void> {
    const { board, host, cwd, timeoutMs } = this.#options;
    const fail = (text: string) => board.change(task, { state: TaskState.TASK_STATE_FAILED, text });
    board.store.link({ id: message.id, task, harness: harness.id });
    board.change(task, { state: TaskState.TASK_STATE_WORKING });
    try {
      const ran = await runHeadless(harness, host, {
        // The words of an outside agent are labelled: they are not the user's.
        prompt: wrapMessages([{ ...message, wants: "none", again: false }], newNonce()),
        cwd,
        ms: timeoutMs,
        hop: message.hop + 1,
        signal: stop.signal,
      });
      switch (ran.kind) {
        case "answer":
          board.change(task, { artifact: textArtifact(ran.text), state: TaskState.TASK_STATE_COMPLETED });
          return;
        case "timeout":
          fail(`${harness.displayName} did not answer within ${timeoutMs / 1000} s.`);
          return;
        case "stopped":
          fail("The run was stopped.");
          return;
        case "failed":
          // What the program printed may contain paths; its user sees it with `send --start`.
          fail(`${harness.displayName} failed.`);
      }
    } catch (error) {
      fail(error instanceof Error ? error.message : String(error));
    }
  }
}
