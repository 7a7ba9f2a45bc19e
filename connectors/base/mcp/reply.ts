import type { FailedReply } from "../../../hooks/daemon/describe.ts";
import { explain, type Failure } from "../memory/failure.ts";
import type { ToolContext, ToolReply } from "./tool.ts";

const WITHOUT = "Continue without it, and tell the user once.";
const CORRECT = "Correct the arguments, or continue without it.";

/** What a model should do about each kind of failure; the sentence before it says what happened. */
const ADVICE: Record<Failure["kind"], string> = {
  offline: WITHOUT,
  timeout: WITHOUT,
  breaker: WITHOUT,
  "not JSON": WITHOUT,
  redirect: WITHOUT,
  blocked: "Continue without memory, and tell the user.",
  unauthorized: "Continue without memory, and tell the user.",
  forbidden: "Do not try again; tell the user that the key lacks this permission.",
  "not found": "Check the id or name, for instance with memory_search.",
  unsupported: "Do not try again in this session.",
  "rate-limited": "Try again later, or continue without it.",
  "server error": "Try again later, or continue without it.",
  conflict: CORRECT,
  refused: CORRECT,
  "too large": "Ask for less, or continue without it.",
};

/** A failed answer as a tool error: what happened, what to do, what the user can run. */
export function failureReply(
  answer: FailedReply,
  { daemon, binary }: ToolContext,
  advice?: string,
): ToolReply {
  const failure = explain(answer, { url: daemon.url, binary });
  const run = failure.next ? ` (for the user: ${failure.next})` : "";
  return { text: `${failure.message} ${advice ?? ADVICE[failure.kind]}${run}`, isError: true };
}

/** `.` and `..` are no ids: a URL drops them, and the request would go to another route. */
export const BAD_ID: ToolReply = {
  text: "There is no memory with this id; use an id from memory_search or memory_list.",
  isError: true,
};
