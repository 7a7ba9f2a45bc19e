import { DOORBELL } from "./doorbell.ts";
import type { Message } from "../messages/message.ts";
import type { AgentSession } from "../sessions/session.ts";

/** What was done to get an agent's attention. */
export type Woken =
  /** It works: its next hook shows the message. */
  | "busy"
  /** Its waiter or its plugin sees the message by itself. */
  | "watches"
  /** A prompt was queued for it. */
  | "queued"
  /** A bell was rung for its user. */
  | "bell"
  /** It sees the message at the next prompt. */
  | "next prompt";

/** The priorities below this do not wake anybody. */
const WAKES = 3;

/**
 * Wakes a session for a message that is in its inbox already. `session` must have
 * been read after that, or an agent that became idle meanwhile would sleep on.
 */
export function wake(session: AgentSession, { priority, kind }: Pick<Message, "priority" | "kind">): Woken {
  if (priority < WAKES || kind === "receipt") return "next prompt";
  if (session.status === "working" || session.status === "starting") return "busy";
  if (session.wake === "hook" || session.wake === "plugin") return "watches";
  return ring(session);
}

/** Calls for the attention of a session, or of its user, without looking whether it is needed. */
export function ring(session: AgentSession): Woken {
  if (session.wake === "queue" && session.status === "idle") {
    return queue(session.key) ? "queued" : "next prompt";
  }
  if (session.tty !== undefined) {
    // Deno opens no device without every permission; a shell does.
    return start("sh", ["-c", `printf '\\a' > "$0"`, session.tty]) ? "bell" : "next prompt";
  }
  return "next prompt";
}

/**
 * Codex 0.166 refuses the doorbell now and then on a busy machine ("cannot queue through an
 * embedded app server"): nobody would wake. A shell tries again, since our process may end now.
 */
const QUEUE = `for pause in 1 3 9 0; do
  codex queue --thread "$0" --message "$1" && exit
  sleep $pause
done`;

function queue(thread: string): boolean {
  return Deno.build.os === "windows"
    ? start("codex", ["queue", "--thread", thread, "--message", DOORBELL])
    : start("sh", ["-c", QUEUE, thread, DOORBELL]);
}

function start(program: string, args: string[]): boolean {
  try {
    new Deno.Command(program, { args, detached: true, stdin: "null", stdout: "null", stderr: "null" })
      .spawn()
      .unref();
    return true;
  } catch {
    return false;
  }
}
