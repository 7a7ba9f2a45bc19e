import { type Answer, isMissingRoute, record } from "./daemon.ts";
import { clip, plainText } from "./plain_text.ts";

/** Why a request did not do what was asked, as a sentence, and what to do about it. */
export interface Failure {
  readonly kind: "unreachable" | "key" | "refused" | "missing" | "unsupported" | "busy" | "failed";
  readonly message: string;
  /** What the user can run. */
  readonly next?: string;
}

interface Place {
  readonly url: string;
  /** The command that the user knows, such as `signet-pyagent`. */
  readonly binary: string;
}

const AWAY = {
  offline: (url: string) => `The memory daemon at ${url} is not reachable.`,
  timeout: (url: string) => `The memory daemon at ${url} did not answer in time.`,
  stranger: (url: string) => `The memory daemon at ${url} is not reachable: something else answers there.`,
};

/** Reads a failed answer. Never call it with a success. */
export function explain(answer: Answer, { url, binary }: Place): Failure {
  if (answer.kind === "unusable") {
    return { kind: "failed", message: answer.message, next: `${binary} status` };
  }
  if (answer.kind === "unreachable") {
    return { kind: "unreachable", message: AWAY[answer.cause](url), next: `${binary} doctor` };
  }
  const said = daemonSaid(answer.body);
  const because = said ? `: ${said}` : "";
  switch (answer.status) {
    case 401:
      return {
        kind: "key",
        message: `The memory daemon at ${url} does not accept the stored API key${because}.`,
        next: `${binary} install --url ${url} --api-key-stdin`,
      };
    case 403:
      return {
        kind: "refused",
        message: `The API key is not allowed to do this${because}.`,
        next: `${binary} status`,
      };
    case 429: {
      const seconds = record(answer.body)?.retryAfter;
      const wait = typeof seconds === "number" ? ` Try again in ${seconds} s.` : " Try again later.";
      return { kind: "busy", message: `The memory daemon at ${url} is asked too often.${wait}` };
    }
  }
  if (isMissingRoute(answer)) {
    return { kind: "unsupported", message: `The memory daemon at ${url} does not offer this.` };
  }
  if (answer.status === 404) return { kind: "missing", message: `Not found${because}.` };
  if (answer.status >= 500) {
    return {
      kind: "busy",
      message: `The memory daemon at ${url} failed with HTTP ${answer.status}${because}.`,
      next: `${binary} doctor`,
    };
  }
  return { kind: "failed", message: `The memory daemon answered HTTP ${answer.status}${because}.` };
}

function daemonSaid(body: unknown): string {
  const error = record(body)?.error ?? record(body)?.message ?? record(body)?.status;
  return clip(plainText(error).replaceAll(/\s+/g, " ").trim().replace(/\.$/, ""), 300);
}
