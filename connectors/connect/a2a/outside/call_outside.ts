import {
  type Message,
  type Part,
  Role,
  type StreamResponse,
  type Task,
  TaskState,
  taskStateToJSON,
} from "@a2a-js/sdk";
import type { Client } from "@a2a-js/sdk/client";
import { stripControls } from "../../../../hooks/context_text/strip_controls.ts";
import { truncate } from "../../../../hooks/context_text/truncate.ts";
import { MAX_TEXT } from "../../../base/agents/messages/message_text.ts";
import { textPart } from "../tasks/task_parts.ts";
import { isInterrupted, isTerminal } from "../tasks/task_state.ts";

/** What an outside agent made of a message. */
export interface OutsideAnswer {
  readonly state: "done" | "failed" | "needs input" | "not yet";
  readonly text: string;
  readonly taskId?: string;
}

/** Sends a message and waits for what becomes of it, no longer than `ms`. */
export async function callOutside(
  client: Client,
  text: string,
  options: { ms: number; signal?: AbortSignal },
): Promise<OutsideAnswer> {
  const stop = new AbortController();
  const abort = () => stop.abort();
  const timer = setTimeout(abort, options.ms);
  options.signal?.addEventListener("abort", abort, { once: true });
  let task: Task | undefined;
  try {
    const request = {
      tenant: "",
      message: userMessage(text),
      configuration: {
        acceptedOutputModes: ["text/plain"],
        taskPushNotificationConfig: undefined,
        returnImmediately: false,
      },
      metadata: undefined,
    };
    for await (const event of client.sendMessageStream(request, { signal: stop.signal })) {
      const { payload } = event;
      if (payload?.$case === "message") return { state: "done", text: partsText(payload.value.parts) };
      task = applied(task, event);
      const state = task?.status?.state;
      if (isTerminal(state) || isInterrupted(state)) break;
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", abort);
  }
  return answerOf(task);
}

function userMessage(text: string): Message {
  return {
    messageId: crypto.randomUUID(),
    contextId: "",
    taskId: "",
    role: Role.ROLE_USER,
    parts: [textPart(text)],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}

/** The task after an event. */
function applied(task: Task | undefined, { payload }: StreamResponse): Task | undefined {
  if (payload?.$case === "task") return payload.value;
  if (task === undefined) return undefined;
  if (payload?.$case === "statusUpdate") return { ...task, status: payload.value.status };
  if (payload?.$case !== "artifactUpdate" || payload.value.artifact === undefined) return task;
  return { ...task, artifacts: [...task.artifacts, payload.value.artifact] };
}

function answerOf(task: Task | undefined): OutsideAnswer {
  const state = task?.status?.state;
  const words = partsText([
    ...task?.artifacts.flatMap(({ parts }) => parts) ?? [],
    ...task?.status?.message?.parts ?? [],
  ]);
  const text = words || (state === undefined ? "" : taskStateToJSON(state));
  if (state === TaskState.TASK_STATE_COMPLETED) return { state: "done", text, taskId: task?.id };
  if (isTerminal(state)) return { state: "failed", text, taskId: task?.id };
  if (isInterrupted(state)) return { state: "needs input", text, taskId: task?.id };
  return { state: "not yet", text: "", taskId: task?.id };
}

/** The words of another agent: they must not control the terminal. */
function partsText(parts: readonly Part[]): string {
  const texts = parts.map(({ content, filename }) => {
    switch (content?.$case) {
      case "text":
      case "url":
        return content.value;
      case "data":
        return JSON.stringify(content.value, undefined, 2);
      default:
        return filename === "" ? "(a file)" : `(the file ${filename})`;
    }
  });
  return truncate(stripControls(texts.join("\n\n")).trim(), MAX_TEXT);
}
