import type { Answer } from "../memory/daemon.ts";
import { explain, type Failure } from "../memory/failure.ts";
import type { ToolContext, ToolReply } from "./tool.ts";

/** What a model should do about each kind of failure. */
const ADVICE: Record<Failure["kind"], string> = {
  unreachable: "Continue without it, and tell the user once.",
  key: "Continue without memory, and tell the user.",
  refused: "Do not retry; tell the user that the key lacks this permission.",
  missing: "Check the id or name, for example with memory_search.",
  unsupported: "Do not retry in this session.",
  busy: "Try again later, or continue without it.",
  failed: "Correct the arguments, or continue without it.",
};

/** Turns a failed answer into a tool error: what happened, what to do, what the user can run. */
export function failureReply(answer: Answer, { daemon, binary }: ToolContext, advice?: string): ToolReply {
  const failure = explain(answer, { url: daemon.url, binary });
  const run = failure.next ? ` (for the user: ${failure.next})` : "";
  return { text: `${failure.message} ${advice ?? ADVICE[failure.kind]}${run}`, isError: true };
}
