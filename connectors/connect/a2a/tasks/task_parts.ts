import { type Artifact, type Message, type Part, Role, type Task } from "@a2a-js/sdk";

export function textPart(text: string): Part {
  return {
    content: { $case: "text", value: text },
    metadata: undefined,
    filename: "",
    mediaType: "text/plain",
  };
}

/** What the agent has produced. */
export function textArtifact(text: string): Artifact {
  return {
    artifactId: crypto.randomUUID(),
    name: "answer",
    description: "",
    parts: [textPart(text)],
    metadata: undefined,
    extensions: [],
  };
}

/** Words of the agent or the gateway about a task. */
export function agentMessage({ id, contextId }: Pick<Task, "id" | "contextId">, text: string): Message {
  return {
    messageId: crypto.randomUUID(),
    contextId,
    taskId: id,
    role: Role.ROLE_AGENT,
    parts: [textPart(text)],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}
