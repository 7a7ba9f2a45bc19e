import {
  type Message,
  type Part,
  Role,
  type SendMessageRequest,
  type StreamResponse,
  type Task,
  type TaskState,
  taskStateToJSON,
} from "@a2a-js/sdk";

/** A message of a client. */
export function userMessage(text: string, more: Partial<Message> = {}): Message {
  return {
    messageId: crypto.randomUUID(),
    contextId: "",
    taskId: "",
    role: Role.ROLE_USER,
    parts: [part(text)],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
    ...more,
  };
}

export function part(text: string): Part {
  return { content: { $case: "text", value: text }, metadata: undefined, filename: "", mediaType: "" };
}

export function sendRequest(
  message: Message,
  configuration: Partial<SendMessageRequest["configuration"]> = {},
): SendMessageRequest {
  return {
    tenant: "",
    message,
    metadata: undefined,
    configuration: {
      acceptedOutputModes: [],
      taskPushNotificationConfig: undefined,
      returnImmediately: false,
      ...configuration,
    },
  };
}

/** `COMPLETED` and the like. */
export function stateName(task: Pick<Task, "status">): string {
  return short(task.status?.state);
}

/** The task in what SendMessage returned. */
export function asTask(result: Message | Task): Task {
  if ("status" in result) return result;
  throw new Error(`A message came back instead of a task: ${JSON.stringify(result)}`);
}

/** The text of everything that a task has produced. */
export function artifactText({ artifacts }: Pick<Task, "artifacts">): string {
  return artifacts.flatMap(({ parts }) => parts).map(({ content }) =>
    content?.$case === "text" ? content.value : ""
  )
    .join("");
}

/** One word per event: `task SUBMITTED`, `status WORKING`, `artifact`. */
export function eventName({ payload }: StreamResponse): string {
  switch (payload?.$case) {
    case "task":
      return `task ${stateName(payload.value)}`;
    case "statusUpdate":
      return `status ${short(payload.value.status?.state)}`;
    case "artifactUpdate":
      return "artifact";
    default:
      return payload?.$case ?? "nothing";
  }
}

function short(state: TaskState | undefined): string {
  return taskStateToJSON(state ?? 0).replace("TASK_STATE_", "");
}
