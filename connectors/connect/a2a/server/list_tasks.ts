import { type ListTasksRequest, type ListTasksResponse, type Task, TaskState } from "@a2a-js/sdk";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import { changedAt, type TaskStore } from "../tasks/task_store.ts";

const PAGE = 50;
const MOST = 100;

/** One page of a client's tasks, the newest change first. */
export function page(store: TaskStore, client: string, params: ListTasksRequest): ListTasksResponse {
  const pageSize = params.pageSize ?? PAGE;
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > MOST) {
    throw new RequestMalformedError(`pageSize must be a number from 1 to ${MOST}.`);
  }
  const historyLength = checkHistoryLength(params.historyLength);
  const { tasks, total } = store.list(client, {
    context: params.contextId || undefined,
    state: stateFilter(params.status),
    after: timeFilter(params.statusTimestampAfter),
    before: params.pageToken ? parsePageToken(params.pageToken) : undefined,
    limit: pageSize + 1,
  });
  const shown = tasks.slice(0, pageSize).map(({ task }) => task);
  const last = shown.at(-1);
  return {
    tasks: shown.map((task) => ({
      ...withHistory(task, historyLength),
      artifacts: params.includeArtifacts ? task.artifacts : [],
    })),
    nextPageToken: tasks.length > pageSize && last !== undefined ? pageToken(last) : "",
    pageSize,
    totalSize: total,
  };
}

/** The newest messages of a task; all of them without a length. */
export function withHistory(task: Task, length: number | undefined): Task {
  if (length === undefined) return task;
  return { ...task, history: length === 0 ? [] : task.history.slice(-length) };
}

export function checkHistoryLength(length: number | undefined): number | undefined {
  if (length === undefined || (Number.isInteger(length) && length >= 0)) return length;
  throw new RequestMalformedError("historyLength must be a number that is not negative.");
}

function stateFilter(state: TaskState | undefined): TaskState | undefined {
  if (state === undefined || state === TaskState.TASK_STATE_UNSPECIFIED) return undefined;
  if (state === TaskState.UNRECOGNIZED) throw new RequestMalformedError("status is not the name of a state.");
  return state;
}

function timeFilter(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new RequestMalformedError("statusTimestampAfter is not a time.");
  return time;
}

function pageToken(task: Task): string {
  return btoa(`${changedAt(task)} ${task.id}`);
}

function parsePageToken(token: string): { changed: number; id: string } {
  try {
    const [, changed = "", id = ""] = /^(\d{1,15}) ([\w-]{1,64})$/.exec(atob(token)) ?? [];
    if (id !== "") return { changed: Number(changed), id };
  } catch {
    // Not base64.
  }
  throw new RequestMalformedError("pageToken does not come from an earlier page.");
}
