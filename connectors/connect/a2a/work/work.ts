import type { Message } from "@a2a-js/sdk";
import type { StoredTask } from "../tasks/task_store.ts";

/** Who does the tasks. It reports through the task board, when and as it likes. */
export interface Work {
  /** An answer that needs no task. */
  answer?(message: Message): Message | undefined;
  /** Starts a new task, or hands over a further message for one. Never throws. */
  begin(stored: StoredTask, message: Message, text: string): void | Promise<void>;
  /** Stops a task as far as possible, before it is marked as canceled. */
  cancel(stored: StoredTask): void | Promise<void>;
}
