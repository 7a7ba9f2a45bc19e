import { isSameOwner } from "../../../../hooks/agents/locks/lock.ts";
import { isPriority, type Priority } from "../../../../hooks/agents/messages/message.ts";
import { isObject } from "../../../../hooks/json.ts";
import { ATTENTION } from "../../../base/agents/messages/attention.ts";
import type { BoardLock } from "../../../base/agents/board/board.ts";
import { forceLock, lockOwner } from "../../../base/agents/locks/locking.ts";
import { send, type Sent } from "../../../base/agents/messages/send.ts";
import { knownNames, personStation } from "../../../base/cli/agents/open_station.ts";
import { withAudit } from "../../../base/cli/audit.ts";
import { type Context, EXIT, type Mode, MODES, UserError } from "../../../base/cli/command.ts";

/** What the page may do. */
export interface Allowed {
  readonly send: boolean;
  /** Release locks of agents. */
  readonly force: boolean;
}

export function allowedIn(mode: Mode): Allowed {
  return { send: isWithin(mode, "write"), force: isWithin(mode, "admin") };
}

function isWithin(mode: Mode, needed: Mode): boolean {
  return MODES.indexOf(needed) <= MODES.indexOf(mode);
}

/** A message that the page asks to send. */
export interface SendRequest {
  readonly to: string;
  readonly text: string;
  readonly priority: Priority;
  readonly wants: "reply" | "none";
}

/** Undefined for anything else. */
export function parseSend(body: unknown): SendRequest | undefined {
  if (!isObject(body)) return undefined;
  const { to, text, priority = 3, wants = "reply" } = body;
  if (typeof to !== "string" || to === "" || typeof text !== "string" || !isPriority(priority)) {
    return undefined;
  }
  return wants === "reply" || wants === "none" ? { to, text, priority, wants } : undefined;
}

/** Sends a message as the person who runs the monitor. */
export async function sendMessage(
  context: Context,
  { to, ...draft }: SendRequest,
): Promise<Pick<Sent, "to" | "state" | "why"> & { id: string; attention?: string }> {
  need(context, "send", "write");
  return await audited(context, "send", async () => {
    const sent = await send(personStation(context), to, draft, knownNames(context));
    const attention = sent.woken && ATTENTION[sent.woken];
    return { id: sent.message.id, to: sent.to, state: sent.state, why: sent.why, attention };
  });
}

/** Releases a lock: the person's own, or with mode admin that of an agent, which is notified. */
export async function releaseLock(context: Context, lock: BoardLock): Promise<{ path: string }> {
  need(context, "unlock", "write");
  const station = personStation(context);
  if (!isSameOwner(lock, lockOwner(station))) need(context, "unlock --force", "admin");
  return await audited(context, "unlock", async () => {
    const freed = await forceLock(station, lock.token);
    if (freed === undefined) throw new UserError(`${lock.path} is not locked by ${lock.holder} any more.`);
    return { path: lock.path };
  });
}

function need({ mode, binary }: Context, words: string, needed: Mode): void {
  if (isWithin(mode, needed)) return;
  throw new UserError(
    `${words} needs mode ${needed}, but the monitor has mode ${mode}.`,
    EXIT.refused,
    `${binary} monitor --web --mode ${needed}`,
  );
}

/** In the audit log an action of the page is the command that does the same. */
async function audited<T>(context: Context, id: string, work: () => Promise<T>): Promise<T> {
  const command = context.commands.find((each) => each.id === id) ?? context.command;
  const working = work();
  await withAudit({ ...context, command }, async () => ({ code: EXIT.ok, data: await working }));
  return await working;
}
