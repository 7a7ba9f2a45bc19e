import type { Message, ReceiptState } from "../../../../hooks/agents/messages/message.ts";
import { UNLIMITED } from "../../../../hooks/agents/messages/mailbox.ts";
import type { ListedSession } from "../../../../hooks/agents/sessions/session.ts";
import { mailboxOf, type Station } from "../station.ts";

const LOOK_MS = 150;

/** What a message led to. */
export interface Answer {
  /** The message that was sent. */
  readonly id: string;
  /** The reply; undefined if there will be none. */
  readonly reply?: Message;
  readonly state: ReceiptState;
}

export interface Waited {
  readonly answers: readonly Answer[];
  /** The messages that have no answer yet. */
  readonly open: readonly string[];
  /** Why it stopped before the time was up: the other agent waits for an answer of this one. */
  readonly asked?: Message;
}

export interface WaitOptions {
  readonly ms: number;
  readonly signal?: AbortSignal;
  /** Whether this process receives the daemon's messages anyway. */
  readonly receives?: boolean;
  /** Called when the receiver of a message reports something. */
  onReceipt?(id: string, state: ReceiptState): void;
}

const FINAL: readonly ReceiptState[] = ["failed", "expired", "refused"];

/** Waits until each message has an answer, or the time is up. Brings the daemon's messages meanwhile. */
export async function waitForAnswers(
  station: Station,
  ids: readonly string[],
  options: WaitOptions,
): Promise<Waited> {
  const answers = new Map<string, Answer>();
  const reported = new Set<string>();
  const state = () => ({ answers: [...answers.values()], open: ids.filter((id) => !answers.has(id)) });
  let asked: Message | undefined;
  await whileReceiving(station, options, () => {
    for (const answer of look(station, state().open)) answers.set(answer.id, answer);
    for (const { replyTo = "", receipt } of receipts(station, ids)) {
      if (receipt === undefined || reported.has(`${replyTo} ${receipt}`)) continue;
      reported.add(`${replyTo} ${receipt}`);
      options.onReceipt?.(replyTo, receipt);
    }
    asked = state().open.length === 0 ? undefined : question(station);
    return state().open.length === 0 || asked !== undefined;
  });
  return { ...state(), asked };
}

/** Waits until a session of this machine has nothing to do. False if the time was up before. */
export async function waitForIdle(
  station: Station,
  session: ListedSession,
  options: WaitOptions,
): Promise<"idle" | "ended" | "busy"> {
  let result: "idle" | "ended" | "busy" = "busy";
  await until(options, () => {
    const now = station.mesh.sessions.get(session);
    result = now === undefined || now.gone ? "ended" : now.status === "idle" ? "idle" : "busy";
    return result !== "busy";
  });
  return result;
}

/** Answers that have arrived; those that nobody has read are read now. */
function look(station: Station, open: readonly string[]): Answer[] {
  const { inbox } = station.mesh;
  const mailbox = mailboxOf(station);
  const isAnswer = ({ kind, replyTo = "" }: Message) => kind === "reply" && open.includes(replyTo);
  const box = { ...mailbox, agentId: station.agentId, project: "" };
  // An answer to one's own question is not held by a policy.
  const { messages } = inbox.take(box, "asked", { limits: UNLIMITED, policy: "none", accept: isAnswer });
  inbox.shown(mailbox, messages);
  const read = (["taken", "seen"] as const).flatMap((folder) => inbox.peek(mailbox, folder)).filter(isAnswer);
  const answers = [...messages, ...read].map((reply): Answer => ({
    id: reply.replyTo ?? "",
    reply,
    state: reply.receipt === "failed" ? "failed" : "done",
  }));
  const ends = receipts(station, open).flatMap(({ replyTo = "", receipt }): Answer[] =>
    receipt !== undefined && FINAL.includes(receipt) ? [{ id: replyTo, state: receipt }] : []
  );
  return [...ends, ...answers];
}

function receipts(station: Station, ids: readonly string[]): Message[] {
  return station.mesh.inbox.peek(mailboxOf(station), "receipts")
    .filter(({ replyTo = "" }) => ids.includes(replyTo));
}

/**
 * A question that came while an agent waits. It must not wait on: the other agent
 * may be waiting for this one, and both would wait for ever.
 */
function question({ mesh, caller }: Station): Message | undefined {
  if (caller.kind === "person") return undefined;
  return mesh.inbox.peek(caller.session, "new").find(({ wants, kind }) =>
    wants === "reply" && kind === "message"
  );
}

/** Looks again and again, while the daemon's messages come in. */
async function whileReceiving(station: Station, options: WaitOptions, isDone: () => boolean): Promise<void> {
  if (isDone()) return;
  const stop = new AbortController();
  const receiving = options.receives ? undefined : station.remote?.receiver.run(stop.signal);
  try {
    const changed = changes(station);
    await until(options, () => changed() && isDone());
  } finally {
    stop.abort();
    await receiving;
  }
}

/** Two changes within a tick of the clock leave one date: now and then, look without one. */
const LOOK_ANYWAY = 10;

/** Whether the caller's inbox may have changed since the last call. */
function changes(station: Station): () => boolean {
  const dir = station.mesh.inbox.dirOf(mailboxOf(station));
  let before = "";
  let calls = 0;
  return () => {
    const now = ["new", "seen", "receipts"].map((folder) => changedAt(`${dir}/${folder}`)).join(" ");
    const changed = now !== before;
    before = now;
    return changed || ++calls % LOOK_ANYWAY === 0;
  };
}

function changedAt(dir: string): number {
  try {
    return Deno.statSync(dir).mtime?.getTime() ?? 0;
  } catch {
    return 0;
  }
}

async function until({ ms, signal }: WaitOptions, isDone: () => boolean): Promise<void> {
  const end = performance.now() + ms;
  while (!isDone() && performance.now() < end && !signal?.aborted) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
