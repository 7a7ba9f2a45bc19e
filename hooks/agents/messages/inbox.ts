import { exists } from "../../state/exists.ts";
import { ensureDir, readStateFile, remove, unique } from "../../state/state_file.ts";
import { sessionName } from "../dir.ts";
import { appendAgentLog } from "../log_line.ts";
import { isExpired, type Message, parseMessage, type Priority } from "./message.ts";
import { isMessageId } from "./message_id.ts";
import { DEFAULT_POLICY, heldBy, mayStop, type Policy, type Shown } from "./policy.ts";
import { inOrder, isDue, LIMITS, type Limits, type Moment, senderKey, withinLimits } from "./select.ts";
import type { AgentSession, SessionId } from "../sessions/session.ts";

/** A message that a caller has claimed and must show, and then confirm with `shown`. */
export interface Taken extends Message {
  /** It may have been shown before: whoever claimed it then has not confirmed it. */
  readonly again: boolean;
}

/** What there is for a session at one moment. */
export interface Delivery {
  readonly messages: Taken[];
  /** How many more are due at this moment; those that were not looked at yet may be expired or held. */
  readonly rest: number;
  /** How many were put aside now, because the policy holds them. */
  readonly held: number;
  /** How many are too old for a session that has just begun; they stay in the inbox. */
  readonly older: number;
  /** What nobody has seen in time; its senders get a receipt. */
  readonly expired: Message[];
}

/** A claim that nobody confirmed for so long: the process that made it was killed. */
const CLAIM_MS = 30_000;
/** A session that has just begun gets older messages as a count only. */
const FRESH_MS = 3600 * 1000;
/** Large enough for the largest message with its fields. */
const MAX_FILE = 512 * 1024;
/** A full inbox refuses messages: its session does not read them. */
export const MAX_WAITING = 10_000;

type Folder = "new" | "taken" | "seen" | "held" | "receipts";

/**
 * The messages of each session, a file per message:
 *
 *     new/    waits
 *     taken/  claimed by a hook that has not shown it yet; the rename is the claim
 *     seen/   shown; kept so that a second copy is recognised
 *     held/   put aside by the policy
 *     again/  empty marks: a claim of this message was not confirmed
 *     receipts/  what became of messages that this session sent; no model sees them
 *
 * A file's name has its id and its priority, so that a hook reads only what is due.
 */
export class Inbox {
  readonly #root: string;
  readonly #now: () => number;

  /** `root` is the directory of the mesh. */
  constructor(root: string, now: () => number = Date.now) {
    this.#root = root;
    this.#now = now;
  }

  /** Stores a message for a session; `again` if it may have been shown. Throws if it cannot be stored. */
  put(session: SessionId, message: Message, again = false): "new" | "duplicate" | "full" {
    if (!isMessageId(message.id)) throw new Error(`${message.id} is not a message id.`);
    const name = fileName(message);
    const dir = this.dirOf(session);
    const target: Folder = message.kind === "receipt" ? "receipts" : "new";
    if (this.#has(dir, name)) return "duplicate";
    if (count(`${dir}/${target}`) >= MAX_WAITING) return "full";
    const temporary = `${dir}/${name}.${unique()}.tmp`;
    const text = JSON.stringify({ v: 1, ...message });
    try {
      Deno.writeTextFileSync(temporary, text, { createNew: true, mode: 0o600 });
    } catch (error) {
      remove(temporary);
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      for (const folder of ["new", "taken", "seen"]) ensureDir(`${dir}/${folder}`);
      Deno.writeTextFileSync(temporary, text, { createNew: true, mode: 0o600 });
    }
    try {
      if (again) markRepeated(dir, message.id);
      ensureDir(`${dir}/${target}`);
      // Unlike a rename, a link never replaces the other copy.
      Deno.linkSync(temporary, `${dir}/${target}/${name}`);
    } catch (error) {
      if (error instanceof Deno.errors.AlreadyExists) return "duplicate";
      throw error;
    } finally {
      remove(temporary);
    }
    appendAgentLog(this.#root, { event: "put", session: session.key, harness: session.harness, message });
    return "new";
  }

  /**
   * Claims what is due at a moment, within limits. Call `shown` once it was
   * printed; what is not confirmed within 30 s goes back, marked as repeated.
   * The policy is for models: a person reads everything, and a mailbox holds nothing.
   */
  take(
    session: Pick<AgentSession, "key" | "harness" | "agentId" | "project">,
    moment: Moment,
    options: { limits?: Limits; policy?: Policy | "none"; accept?: (message: Message) => boolean } = {},
  ): Delivery {
    const { limits = LIMITS, policy = DEFAULT_POLICY, accept = () => true } = options;
    const dir = this.dirOf(session);
    this.requeueStale(session);
    if (policy !== "none" && (moment === "prompt" || moment === "asked")) this.#release(session, policy);
    const waiting: Message[] = [];
    const names = new Map<string, string>();
    const expired: Message[] = [];
    let held = 0;
    let older = 0;
    let shown: Shown[] | undefined;
    let unread = 0;
    let chars = 0;
    const dueNames = list(`${dir}/new`).filter((name) => isDue(priorityOf(name), moment));
    const mustRead = unskippable(dueNames);
    for (const [index, name] of dueNames.entries()) {
      // Full, and one more: what comes now would be shown later in any case.
      const isFull = waiting.length > limits.messages || (waiting.length > 1 && chars > limits.chars);
      if (isFull && index >= mustRead) {
        unread = dueNames.length - index;
        break;
      }
      // A second copy that arrived in the moment of the claim.
      if (exists(`${dir}/seen/${name}`)) {
        remove(`${dir}/new/${name}`);
        continue;
      }
      if (exists(`${dir}/taken/${name}`)) continue;
      const stored = this.#read(dir, "new", name);
      if (stored === undefined) continue;
      const message = policy === "none" || stored.priority < 5 || mayStop(policy, stored, session)
        ? stored
        : { ...stored, priority: 4 as const };
      if (isExpired(message, this.#now())) {
        if (this.#expire(session, message, name)) expired.push(message);
        continue;
      }
      if (moment === "start" && this.#now() - message.at > FRESH_MS) {
        older++;
        continue;
      }
      if (!accept(message)) continue;
      if (policy !== "none") {
        shown ??= this.#recentlyShown(dir);
        const hold = heldBy(policy, message, session, shown, this.#now());
        if (hold?.until === "allowed" && this.#move(dir, name, "new", "held")) held++;
        if (hold !== undefined) continue;
      }
      names.set(message.id, name);
      waiting.push(message);
      chars += message.text.length;
    }
    const due = inOrder(waiting);
    const messages: Taken[] = [];
    for (const message of withinLimits(due, limits)) {
      const taken = this.#claim(dir, message, names.get(message.id) ?? "");
      if (taken !== undefined) messages.push(taken);
    }
    return { messages, rest: due.length - messages.length + unread, held, older, expired };
  }

  /** Confirms that messages were shown, or put into another inbox. */
  shown(
    session: SessionId,
    messages: readonly Pick<Message, "id">[],
    event: "shown" | "passed on" = "shown",
  ): void {
    const dir = this.dirOf(session);
    const ids = new Set(messages.map(({ id }) => id));
    for (const name of list(`${dir}/taken`)) {
      const id = idOf(name);
      if (!ids.has(id) || !this.#move(dir, name, "taken", "seen")) continue;
      if (exists(`${dir}/again/${id}`)) remove(`${dir}/again/${id}`);
      appendAgentLog(this.#root, { event, session: session.key, harness: session.harness, id });
    }
  }

  /** Gives messages back that were claimed and not shown. */
  giveBack(session: SessionId, messages: readonly Pick<Message, "id">[]): void {
    const dir = this.dirOf(session);
    const ids = new Set(messages.map(({ id }) => id));
    for (const name of list(`${dir}/taken`)) if (ids.has(idOf(name))) this.#move(dir, name, "taken", "new");
  }

  /** Takes back a message that nobody has claimed. False if it was claimed, or was never here. */
  withdraw(session: SessionId, message: Pick<Message, "id" | "priority">): boolean {
    const dir = this.dirOf(session);
    const name = fileName(message);
    // In `seen` a second copy of it is recognised.
    return this.#move(dir, name, "new", "seen") || this.#move(dir, name, "held", "seen");
  }

  /** How many messages wait, and how many are held. */
  count(session: SessionId): { waiting: number; held: number } {
    const dir = this.dirOf(session);
    return { waiting: count(`${dir}/new`) + count(`${dir}/taken`), held: count(`${dir}/held`) };
  }

  /** Everything of one kind, oldest first, without claiming it. */
  peek(session: SessionId, folder: Folder): Message[] {
    const dir = this.dirOf(session);
    return list(`${dir}/${folder}`).map((name) => this.#read(dir, folder, name))
      .filter((message) => message !== undefined);
  }

  /** Takes receipts and forgets them. */
  takeReceipts(session: SessionId): Message[] {
    const dir = this.dirOf(session);
    const receipts = this.peek(session, "receipts");
    for (const receipt of receipts) remove(`${dir}/receipts/${fileName(receipt)}`);
    return receipts;
  }

  /** Puts claims back that were not confirmed in time. */
  requeueStale(session: SessionId): void {
    const dir = this.dirOf(session);
    for (const name of list(`${dir}/taken`)) {
      try {
        const at = Deno.lstatSync(`${dir}/taken/${name}`).mtime?.getTime() ?? 0;
        const age = this.#now() - at;
        if (age >= 0 && age < CLAIM_MS) continue;
        markRepeated(dir, idOf(name));
        this.#move(dir, name, "taken", "new");
      } catch {
        // Another process was faster, or the disk is full: the next hook tries again.
      }
    }
  }

  /** Forgets what was shown so long ago that a second copy would be expired. */
  prune(session: SessionId): void {
    const dir = this.dirOf(session);
    for (const name of list(`${dir}/seen`)) {
      const message = this.#read(dir, "seen", name);
      const keepUntil = message === undefined ? 0 : message.at + message.ttl * 1000 + FRESH_MS;
      if (this.#now() > keepUntil) remove(`${dir}/seen/${name}`);
    }
  }

  /** The directory that a session's waiter watches. */
  dirOf({ harness, key }: SessionId): string {
    return `${this.#root}/inbox/${sessionName(harness, key)}`;
  }

  /** Held messages that the policy allows by now wait again. */
  #release(session: Pick<AgentSession, "key" | "harness" | "agentId" | "project">, policy: Policy): void {
    const dir = this.dirOf(session);
    for (const name of list(`${dir}/held`)) {
      const message = this.#read(dir, "held", name);
      if (message === undefined) continue;
      const hold = heldBy(policy, message, session, [], this.#now());
      if (hold === undefined || isExpired(message, this.#now())) this.#move(dir, name, "held", "new");
    }
  }

  #claim(dir: string, message: Message, name: string): Taken | undefined {
    try {
      // Dated before it is claimed: a claim without a date would look stale to others.
      Deno.utimeSync(`${dir}/new/${name}`, this.#now() / 1000, this.#now() / 1000);
    } catch {
      return undefined;
    }
    if (!this.#move(dir, name, "new", "taken")) return undefined;
    return { ...message, again: exists(`${dir}/again/${message.id}`) };
  }

  #expire(session: SessionId, { id }: Message, name: string): boolean {
    if (!this.#move(this.dirOf(session), name, "new", "seen")) return false;
    appendAgentLog(this.#root, { event: "expired", session: session.key, harness: session.harness, id });
    return true;
  }

  /** What was shown in the last ten minutes, by the dates of the files. */
  #recentlyShown(dir: string): Shown[] {
    const shown: Shown[] = [];
    for (const name of list(`${dir}/seen`)) {
      try {
        const at = Deno.lstatSync(`${dir}/seen/${name}`).mtime?.getTime() ?? 0;
        if (this.#now() - at > 600_000) continue;
        const message = this.#read(dir, "seen", name);
        if (message !== undefined) shown.push({ at, sender: senderKey(message) });
      } catch {
        // Removed meanwhile.
      }
    }
    return shown;
  }

  #has(dir: string, name: string): boolean {
    return (["new", "taken", "seen", "held", "receipts"] as const)
      .some((folder) => exists(`${dir}/${folder}/${name}`));
  }

  #move(dir: string, name: string, from: Folder, to: Folder): boolean {
    try {
      Deno.renameSync(`${dir}/${from}/${name}`, `${dir}/${to}/${name}`);
      return true;
    } catch {
      if (exists(`${dir}/${to}`) || !exists(`${dir}/${from}/${name}`)) return false;
    }
    try {
      ensureDir(`${dir}/${to}`);
      Deno.renameSync(`${dir}/${from}/${name}`, `${dir}/${to}/${name}`);
      return true;
    } catch {
      return false;
    }
  }

  /** A file that does not parse is removed: nobody could show it. */
  #read(dir: string, folder: Folder, name: string): Message | undefined {
    const path = `${dir}/${folder}/${name}`;
    const file = readStateFile(path, MAX_FILE);
    if (file.kind === "missing") return undefined;
    const message = file.kind === "text" ? parseMessage(file.text) : undefined;
    if (message === undefined || fileName(message) !== name) {
      remove(path);
      return undefined;
    }
    return message;
  }
}

function markRepeated(dir: string, id: string): void {
  ensureDir(`${dir}/again`);
  Deno.writeTextFileSync(`${dir}/again/${id}`, "", { mode: 0o600 });
}

function fileName({ id, priority }: Pick<Message, "id" | "priority">): string {
  return `${id}-${priority}.json`;
}

const NAME = /^(m_[0-9A-HJKMNP-TV-Z]{26})-([1-5])\.json$/;

function idOf(name: string): string {
  return NAME.exec(name)?.[1] ?? "";
}

function priorityOf(name: string): Priority {
  const digit = NAME.exec(name)?.[2];
  return digit === "1" ? 1 : digit === "2" ? 2 : digit === "4" ? 4 : digit === "5" ? 5 : 3;
}

/**
 * How many of these names, oldest first, decide what is shown first: a message can pull
 * forward what its sender sent before it, unless its priority is the lowest of all. A
 * message of priority 5 may count as 4.
 */
function unskippable(names: readonly string[]): number {
  const priorities = names.map(priorityOf);
  const lowest = Math.min(...new Set(priorities), 5);
  return lowest === 5 ? names.length : priorities.findLastIndex((priority) => priority > lowest) + 1;
}

/** The names of the messages in a directory, oldest first. */
function list(dir: string): string[] {
  if (!exists(dir)) return [];
  try {
    return [...Deno.readDirSync(dir)].map(({ name }) => name).filter((name) => NAME.test(name)).sort();
  } catch {
    return [];
  }
}

function count(dir: string): number {
  if (!exists(dir)) return 0;
  let total = 0;
  try {
    for (const _ of Deno.readDirSync(dir)) total++;
  } catch {
    // It was removed meanwhile.
  }
  return total;
}
