import { TaskState } from "@a2a-js/sdk";
import { UNLIMITED } from "../../../../hooks/agents/messages/mailbox.ts";
import type { Message, ReceiptState } from "../../../../hooks/agents/messages/message.ts";
import type { Mesh } from "../../../base/agents/mesh.ts";
import type { TaskBoard, TaskChange } from "../tasks/task_board.ts";
import { textArtifact } from "../tasks/task_parts.ts";
import type { OpenLink } from "../tasks/task_store.ts";
import { pause } from "../pause.ts";
import type { MeshWork } from "./mesh_work.ts";

const LOOK_MS = 100;
/** How often the sessions that have tasks are looked at. */
const SESSIONS_MS = 1_000;
const PRUNE_MS = 600_000;
/** Two changes within a tick of the clock leave one date: now and then, look without one. */
const LOOK_ANYWAY = 10;

const RECEIPTS: { readonly [R in ReceiptState]?: TaskChange } = {
  seen: { state: TaskState.TASK_STATE_WORKING },
  working: { state: TaskState.TASK_STATE_WORKING },
  failed: { state: TaskState.TASK_STATE_FAILED, text: "The agent could not take the task." },
  expired: { state: TaskState.TASK_STATE_FAILED, text: "No agent has taken the task in time." },
  refused: { state: TaskState.TASK_STATE_REJECTED, text: "The agent's user does not accept the task." },
};

/** What a session that has tasks does. */
interface Looked {
  /** The messages that the policy of its user holds. */
  readonly held: ReadonlySet<string>;
  /** `elsewhere`: on another machine, so nothing is known. */
  readonly status: "waiting" | "ended" | "elsewhere" | "other";
}

/** Brings what agents answer, and what becomes of them, to the tasks. */
export class Answers {
  readonly #mesh: Mesh;
  readonly #board: TaskBoard;
  readonly #work: MeshWork;
  #before = "";
  #looks = 0;

  constructor(mesh: Mesh, board: TaskBoard, work: MeshWork) {
    this.#mesh = mesh;
    this.#board = board;
    this.#work = work;
  }

  /** Runs until `signal` is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    let sessionsAt = 0;
    let prunedAt = performance.now();
    while (!signal.aborted) {
      try {
        if (this.#hasChanged()) this.take();
        const now = performance.now();
        if (now - sessionsAt >= SESSIONS_MS) {
          sessionsAt = now;
          await this.look();
        }
        if (now - prunedAt >= PRUNE_MS) {
          prunedAt = now;
          this.#mesh.inbox.prune(this.#mesh.gateway);
        }
      } catch (error) {
        // A full disk: the answers stay where they are.
        console.error(`a2a: ${error instanceof Error ? error.message : error}`);
      }
      await pause(LOOK_MS, signal);
    }
  }

  /** Takes receipts and replies. A reply that was taken and not stored comes again. */
  take(): void {
    const { inbox, gateway } = this.#mesh;
    for (const { replyTo, receipt } of inbox.takeReceipts(gateway).sort(byId)) {
      const task = replyTo === undefined ? undefined : this.#board.store.taskOf(replyTo);
      const change = receipt === undefined ? undefined : RECEIPTS[receipt];
      if (task !== undefined && change !== undefined) this.#board.change(task, change);
    }
    const box = { ...gateway, agentId: gateway.key, project: "" };
    const { messages } = inbox.take(box, "asked", { limits: UNLIMITED, policy: "none" });
    for (const message of messages.sort(byId)) this.#answer(message);
    inbox.shown(gateway, messages);
  }

  /** Looks at the sessions that have tasks, and at tasks whose time is up. */
  async look(now: number = Date.now()): Promise<void> {
    for (const task of this.#board.store.expired(now)) {
      this.#board.change(task, {
        state: TaskState.TASK_STATE_FAILED,
        text: "No agent has answered in time.",
      });
    }
    await this.#work.assign();
    const looked = new Map<string, Looked>();
    for (const link of this.#board.store.openLinks()) {
      if (link.session === undefined) continue;
      const key = `${link.harness} ${link.session}`;
      const session = looked.get(key) ?? this.#session(link.harness, link.session);
      looked.set(key, session);
      if (session.held.has(link.id)) {
        this.#board.change(link.task, {
          state: TaskState.TASK_STATE_REJECTED,
          text: "The agent's user does not accept messages from this client.",
        });
      } else this.#compare(link, session.status);
    }
  }

  #compare(link: OpenLink, status: Looked["status"]): void {
    const { state, task } = link;
    if (status === "ended") {
      if (this.#work.reroute(link)) return;
      this.#board.change(task, {
        state: TaskState.TASK_STATE_FAILED,
        text: "The agent's session ended before it answered.",
      });
    } else if (status === "waiting" && state === TaskState.TASK_STATE_WORKING) {
      this.#board.change(task, {
        state: TaskState.TASK_STATE_INPUT_REQUIRED,
        text: "The agent waits until a person at its machine answers a question.",
      });
    } else if (status === "other" && state === TaskState.TASK_STATE_INPUT_REQUIRED) {
      this.#board.change(task, { state: TaskState.TASK_STATE_WORKING });
    }
  }

  #session(harness: string, key: string): Looked {
    const { sessions, inbox } = this.#mesh;
    const session = sessions.get({ harness, key });
    const held = new Set(inbox.peek({ harness, key }, "held").map(({ id }) => id));
    if (session !== undefined && !session.gone) {
      return { held, status: session.status === "waiting" ? "waiting" : "other" };
    }
    const wasHere = session !== undefined || exists(inbox.dirOf({ harness, key }));
    return { held, status: wasHere ? "ended" : "elsewhere" };
  }

  #answer({ kind, replyTo, receipt, text }: Message): void {
    const task = replyTo === undefined ? undefined : this.#board.store.taskOf(replyTo);
    if (kind !== "reply" || task === undefined) return;
    this.#board.change(
      task,
      receipt === "failed"
        ? { state: TaskState.TASK_STATE_FAILED, text }
        : { artifact: textArtifact(text), state: TaskState.TASK_STATE_COMPLETED },
    );
  }

  #hasChanged(): boolean {
    const dir = this.#mesh.inbox.dirOf(this.#mesh.gateway);
    const now = ["new", "receipts"].map((folder) => changedAt(`${dir}/${folder}`)).join(" ");
    const changed = now !== this.#before;
    this.#before = now;
    return changed || ++this.#looks % LOOK_ANYWAY === 0;
  }
}

const byId = (a: Message, b: Message) => a.id < b.id ? -1 : 1;

function changedAt(dir: string): number {
  try {
    return Deno.statSync(dir).mtime?.getTime() ?? 0;
  } catch {
    return 0;
  }
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}
