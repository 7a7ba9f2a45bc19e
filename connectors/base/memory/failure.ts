import { describe, type FailedReply, type FailureKind } from "../../../hooks/daemon/describe.ts";

/** Why a request failed, as a sentence, and what the user can run about it. */
export interface Failure {
  readonly kind: FailureKind;
  readonly message: string;
  readonly next?: string;
}

interface Place {
  readonly url: string;
  /** The command that the user knows, such as `signet-pyagent`. */
  readonly binary: string;
}

export function explain(reply: FailedReply, { url, binary }: Place): Failure {
  const { kind, message } = describe(reply, url);
  return { kind, message, next: nextCommand(kind, url, binary) };
}

function nextCommand(kind: FailureKind, url: string, binary: string): string | undefined {
  switch (kind) {
    case "unauthorized":
      return `${binary} install --url ${url} --api-key-stdin`;
    case "forbidden":
    case "blocked":
      return `${binary} status`;
    case "offline":
    case "timeout":
    case "not JSON":
    case "redirect":
    case "server error":
      return `${binary} doctor`;
    default:
      return undefined;
  }
}
