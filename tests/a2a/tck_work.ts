import { Buffer } from "node:buffer";
import { type Artifact, type Message, type Part, TaskState } from "@a2a-js/sdk";
import type { TaskBoard, TaskChange } from "../../connectors/connect/a2a/tasks/task_board.ts";
import { agentMessage, textPart } from "../../connectors/connect/a2a/tasks/task_parts.ts";
import type { StoredTask } from "../../connectors/connect/a2a/tasks/task_store.ts";
import type { Work } from "../../connectors/connect/a2a/work/work.ts";

const { TASK_STATE_WORKING: WORKING, TASK_STATE_COMPLETED: COMPLETED } = TaskState;
/** Twice as long as the kit waits for the next event of a stream. */
const LONG_MS = 10_000;

/** One step of a scenario: a change, or a pause in ms. */
type Step = TaskChange | number;

const file: Part = {
  content: { $case: "raw", value: Buffer.from("output") },
  filename: "output.txt",
  mediaType: "text/plain",
  metadata: undefined,
};
const fileUrl: Part = { ...file, content: { $case: "url", value: "https://example.com/output.txt" } };
const data: Part = {
  content: { $case: "data", value: { key: "value", count: 42 } },
  filename: "",
  mediaType: "application/json",
  metadata: undefined,
};
const complete = (part: Part): Step[] => [{ artifact: artifact(part), state: COMPLETED }];
const streamed = (
  part: Part,
): Step[] => [{ state: WORKING }, { artifact: artifact(part) }, { state: COMPLETED }];

/** What the kit's scenarios (scenarios/*.feature) want an agent to do, by the start of the message's id. */
const SCENARIOS: readonly [prefix: string, steps: () => Step[]][] = [
  ["tck-artifact-file-url", () => complete(fileUrl)],
  ["tck-artifact-file", () => complete(file)],
  ["tck-artifact-text", () => complete(textPart("Generated text content"))],
  ["tck-artifact-data", () => complete(data)],
  ["tck-input-required", () => [{ state: TaskState.TASK_STATE_INPUT_REQUIRED }]],
  ["tck-reject-task", () => [{ state: TaskState.TASK_STATE_REJECTED, text: "rejected" }]],
  ["tck-stream-001", () => streamed(textPart("Stream hello from TCK"))],
  ["tck-stream-002", () => [{ state: COMPLETED }]],
  ["tck-stream-003", () => streamed(textPart("Stream task lifecycle"))],
  ["tck-stream-ordering-001", () => streamed(textPart("Ordered output"))],
  ["tck-stream-artifact-text", () => streamed(textPart("Streamed text content"))],
  ["tck-stream-artifact-file", () => streamed(file)],
  ["tck-stream-artifact-chunked", chunked],
  ["test-resubscribe-message-id", () => [{ state: WORKING }, LONG_MS, { state: COMPLETED }]],
];

/** An agent for the official kit. Everything around it is the gateway. */
export class TckWork implements Work {
  readonly #board: TaskBoard;

  constructor(board: TaskBoard) {
    this.#board = board;
  }

  answer({ messageId, contextId }: Message): Message | undefined {
    if (!messageId.startsWith("tck-message-response")) return undefined;
    const reply = agentMessage(
      { id: "", contextId: contextId || crypto.randomUUID() },
      "Direct message response",
    );
    return { ...reply, taskId: "" };
  }

  begin({ task }: StoredTask, { messageId }: Message): void {
    const [, steps] = SCENARIOS.find(([prefix]) => messageId.startsWith(prefix)) ?? [];
    void this.#play(task.id, steps?.() ?? [{ state: COMPLETED, text: "Hello from TCK" }]);
  }

  cancel(): void {}

  async #play(task: string, steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      if (typeof step === "number") await new Promise((resolve) => setTimeout(resolve, step));
      else this.#board.change(task, step);
    }
  }
}

function chunked(): Step[] {
  const first = artifact(textPart("chunk-1 "));
  const rest = { ...first, parts: [textPart("chunk-2")] };
  return [
    { state: WORKING },
    { artifact: first, last: false },
    { artifact: rest, append: true, last: true },
    { state: COMPLETED },
  ];
}

function artifact(part: Part): Artifact {
  return {
    artifactId: crypto.randomUUID(),
    name: "result",
    description: "",
    parts: [part],
    metadata: undefined,
    extensions: [],
  };
}
