import { TaskState } from "@a2a-js/sdk";

const TERMINAL: readonly TaskState[] = [
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_REJECTED,
];

/** A task in such a state never changes again. */
export function isTerminal(state: TaskState | undefined): boolean {
  return state !== undefined && TERMINAL.includes(state);
}

/** A task in such a state waits for somebody. */
export function isInterrupted(state: TaskState | undefined): boolean {
  return state === TaskState.TASK_STATE_INPUT_REQUIRED || state === TaskState.TASK_STATE_AUTH_REQUIRED;
}
