import {
  type AgentCard,
  type CancelTaskRequest,
  type GetTaskRequest,
  type ListTasksRequest,
  type ListTasksResponse,
  type Message,
  type SendMessageRequest,
  type StreamResponse,
  type SubscribeToTaskRequest,
  type Task,
  type TaskPushNotificationConfig,
  TaskState,
} from "@a2a-js/sdk";
import {
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from "@a2a-js/sdk/errors";
import type { A2ARequestHandler, ServerCallContext } from "@a2a-js/sdk/server";
import type { TaskBoard } from "../tasks/task_board.ts";
import type { TaskFeed } from "../tasks/task_feed.ts";
import { isInterrupted, isTerminal } from "../tasks/task_state.ts";
import type { StoredTask } from "../tasks/task_store.ts";
import type { Work } from "../work/work.ts";
import { clientOf, signalOf } from "./caller_context.ts";
import { checkHistoryLength, page, withHistory } from "./list_tasks.ts";
import { messageText } from "./message_text.ts";
import { PushConfigs } from "./push_configs.ts";

/** A blocking call that nobody has answered returns the task as it is then, before proxies give up. */
export const BLOCKING_MS = 100_000;

export interface HandlerOptions {
  readonly board: TaskBoard;
  readonly work: Work;
  /** The handle in the URL; "" for the default agent. */
  readonly agent: string;
  readonly card: AgentCard;
  readonly push: PushConfigs;
  /** How long a task may wait for its answer. */
  readonly ttlMs: number;
  readonly blockingMs?: number;
}

/**
 * The operations of A2A on the gateway's tasks. Unlike the SDK's handler it keeps
 * no task in memory: a task goes on after a restart, and so does a subscription.
 */
export class GatewayHandler implements A2ARequestHandler {
  readonly #options: HandlerOptions;

  constructor(options: HandlerOptions) {
    this.#options = options;
  }

  getAgentCard(): Promise<AgentCard> {
    return Promise.resolve(this.#options.card);
  }

  getAuthenticatedExtendedAgentCard(): Promise<AgentCard> {
    return Promise.reject(new UnsupportedOperationError("This agent has no extended card."));
  }

  async sendMessage(params: SendMessageRequest, context: ServerCallContext): Promise<Message | Task> {
    const { board, blockingMs = BLOCKING_MS } = this.#options;
    const historyLength = checkHistoryLength(params.configuration?.historyLength);
    const answer = this.#answer(params);
    if (answer !== undefined) return answer;
    const { stored, begin } = await this.#accept(params, context);
    const { id } = stored.task;
    await begin();
    const task = params.configuration?.returnImmediately
      ? board.store.find(id)?.task
      : await board.settled(id, blockingMs, signalOf(context));
    return withHistory(task ?? stored.task, historyLength);
  }

  async *sendMessageStream(
    params: SendMessageRequest,
    context: ServerCallContext,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    const { board } = this.#options;
    const historyLength = checkHistoryLength(params.configuration?.historyLength);
    const answer = this.#answer(params);
    if (answer !== undefined) return yield { payload: { $case: "message", value: answer } };
    const { stored, begin } = await this.#accept(params, context);
    using feed = board.feed(stored.task.id);
    // Read again: the task of a message that was sent before goes on meanwhile.
    const task = board.store.find(stored.task.id)?.task ?? stored.task;
    yield { payload: { $case: "task", value: withHistory(task, historyLength) } };
    if (isTerminal(task.status?.state)) return;
    await begin();
    yield* eventsOf(feed, context, isInterrupted);
  }

  async *resubscribe(
    params: SubscribeToTaskRequest,
    context: ServerCallContext,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    using feed = this.#options.board.feed(params.id);
    const { task } = this.#task(params.id, context);
    if (isTerminal(task.status?.state)) {
      throw new UnsupportedOperationError(`Task ${task.id} is done, so there is nothing to subscribe to.`);
    }
    yield { payload: { $case: "task", value: task } };
    yield* eventsOf(feed, context);
  }

  async getTask(params: GetTaskRequest, context: ServerCallContext): Promise<Task> {
    const historyLength = checkHistoryLength(params.historyLength);
    return await Promise.resolve(withHistory(this.#task(params.id, context).task, historyLength));
  }

  async listTasks(params: ListTasksRequest, context: ServerCallContext): Promise<ListTasksResponse> {
    return await Promise.resolve(page(this.#options.board.store, clientOf(context), params));
  }

  async cancelTask(params: CancelTaskRequest, context: ServerCallContext): Promise<Task> {
    const { board, work } = this.#options;
    const stored = this.#task(params.id, context);
    const { id } = stored.task;
    if (stored.task.status?.state === TaskState.TASK_STATE_CANCELED) return stored.task;
    if (isTerminal(stored.task.status?.state)) throw notCancelable(id);
    await work.cancel(stored);
    const canceled = board.change(id, {
      state: TaskState.TASK_STATE_CANCELED,
      text: "Canceled by the client.",
    });
    // It was done in the meantime.
    if (canceled === undefined) throw notCancelable(id);
    return canceled;
  }

  async createTaskPushNotificationConfig(
    params: TaskPushNotificationConfig,
    context: ServerCallContext,
  ): Promise<TaskPushNotificationConfig> {
    const { task } = this.#task(params.taskId, context);
    return await this.#options.push.create(task.id, params);
  }

  async getTaskPushNotificationConfig(
    params: { taskId: string; id: string },
    context: ServerCallContext,
  ): Promise<TaskPushNotificationConfig> {
    const { task } = this.#task(params.taskId, context);
    return await Promise.resolve(this.#options.push.get(task.id, params.id));
  }

  async listTaskPushNotificationConfigs(
    params: { taskId: string },
    context: ServerCallContext,
  ): Promise<{ configs: TaskPushNotificationConfig[]; nextPageToken: string }> {
    const { task } = this.#task(params.taskId, context);
    const configs = this.#options.board.store.configs(task.id);
    return await Promise.resolve({ configs, nextPageToken: "" });
  }

  async deleteTaskPushNotificationConfig(
    params: { taskId: string; id: string },
    context: ServerCallContext,
  ): Promise<void> {
    const { task } = this.#task(params.taskId, context);
    this.#options.push.delete(task.id, params.id);
    return await Promise.resolve();
  }

  #answer({ message }: SendMessageRequest): Message | undefined {
    return message === undefined ? undefined : this.#options.work.answer?.(message);
  }

  /** Checks a message and stores the task; `begin` hands it to whoever does it. */
  async #accept(
    params: SendMessageRequest,
    context: ServerCallContext,
  ): Promise<{ stored: StoredTask; begin(): void | Promise<void> }> {
    const { board, work, agent, push, ttlMs } = this.#options;
    const message = checkMessage(params.message);
    const text = messageText(message);
    const config = params.configuration?.taskPushNotificationConfig;
    const wanted = config === undefined ? undefined : await push.check(config);
    if (message.taskId !== "") {
      const earlier = this.#forMessage(message, context);
      const { id, contextId } = earlier.task;
      const more = { ...message, contextId };
      if (wanted !== undefined) push.store(id, wanted);
      // The same message again changes nothing.
      const isKnown = earlier.task.history.some((each) => isSame(each, message));
      const task = isKnown ? earlier.task : board.change(id, {
        message: more,
        state: TaskState.TASK_STATE_SUBMITTED,
      }) ?? earlier.task;
      const stored = { ...earlier, task };
      return { stored, begin: () => isKnown ? undefined : work.begin(stored, more, text) };
    }
    const id = crypto.randomUUID();
    const contextId = message.contextId || crypto.randomUUID();
    const first = { ...message, taskId: id, contextId };
    const { stored, fresh } = board.add({
      owner: clientOf(context),
      agent,
      clientMessage: message.messageId,
      expires: Date.now() + ttlMs,
      task: {
        id,
        contextId,
        status: {
          state: TaskState.TASK_STATE_SUBMITTED,
          message: undefined,
          timestamp: new Date().toISOString(),
        },
        artifacts: [],
        history: [first],
        metadata: undefined,
      },
    });
    if (wanted !== undefined) push.store(stored.task.id, wanted);
    return { stored, begin: () => fresh ? work.begin(stored, first, text) : undefined };
  }

  /** The task that a further message is for. */
  #forMessage(message: Message, context: ServerCallContext): StoredTask {
    const stored = this.#task(message.taskId, context);
    const { id, contextId, status } = stored.task;
    if (message.contextId !== "" && message.contextId !== contextId) {
      throw new RequestMalformedError(`Task ${id} does not belong to context ${message.contextId}.`);
    }
    if (isTerminal(status?.state)) {
      throw new UnsupportedOperationError(`Task ${id} is done and takes no more messages.`);
    }
    return stored;
  }

  /** A task of the caller: for everybody else it does not exist. */
  #task(id: string, context: ServerCallContext): StoredTask {
    if (id.trim() === "") throw new RequestMalformedError("The id of the task is missing.");
    const stored = this.#options.board.store.get(id, clientOf(context));
    if (stored === undefined) throw new TaskNotFoundError(`There is no task ${id}.`);
    return stored;
  }
}

function checkMessage(message: Message | undefined): Message {
  if (message === undefined) throw new RequestMalformedError("message is missing.");
  if (message.messageId === "") throw new RequestMalformedError("message.messageId is missing.");
  return message;
}

function notCancelable(id: string): TaskNotCancelableError {
  return new TaskNotCancelableError(`Task ${id} is done and cannot be canceled.`);
}

/** Passes events on until the task is done, or `ends`, or the client is gone. */
async function* eventsOf(
  feed: TaskFeed,
  context: ServerCallContext,
  ends: (state: TaskState | undefined) => boolean = () => false,
): AsyncGenerator<StreamResponse, void, undefined> {
  const signal = signalOf(context);
  const close = () => feed.close();
  signal?.addEventListener("abort", close, { once: true });
  if (signal?.aborted) close();
  try {
    for (let event = await feed.next(); event !== undefined; event = await feed.next()) {
      yield event;
      const { payload } = event;
      const state = payload?.$case === "statusUpdate" ? payload.value.status?.state : undefined;
      if (isTerminal(state) || ends(state)) return;
    }
  } finally {
    signal?.removeEventListener("abort", close);
  }
}

/** Whether a client has sent a message again. Some use one id for several messages. */
function isSame(a: Message, b: Message): boolean {
  return a.messageId === b.messageId && JSON.stringify(a.parts) === JSON.stringify(b.parts);
}
