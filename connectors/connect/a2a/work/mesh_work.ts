import { type Message as A2aMessage, TaskState } from "@a2a-js/sdk";
import type { Message } from "../../../../hooks/agents/messages/message.ts";
import type { Known } from "../../../base/agents/messages/send.ts";
import type { Station } from "../../../base/agents/station.ts";
import type { Published } from "../../../base/agents/transport/transport.ts";
import type { Harness } from "../../../base/harness.ts";
import { messageText } from "../server/message_text.ts";
import type { TaskBoard } from "../tasks/task_board.ts";
import { isTerminal } from "../tasks/task_state.ts";
import type { Link, StoredTask } from "../tasks/task_store.ts";
import { findAgent } from "./find_agent.ts";
import type { HeadlessRuns } from "./headless_runs.ts";
import { PRIORITY, taskMessage } from "./task_message.ts";
import type { Work } from "./work.ts";

export interface MeshWorkOptions {
  readonly station: Station;
  readonly board: TaskBoard;
  readonly known: Known;
  readonly harnesses: readonly Harness[];
  /** Who does tasks that name no agent; "" for the only live session. */
  readonly defaultAgent: string;
  /** Undefined: nothing is started, and a task waits for a session. */
  readonly runs?: HeadlessRuns;
}

/** Nobody needs to know for longer that a task was canceled. */
const NOTE_MS = 600_000;

/** Hands tasks to the sessions of the mesh, as messages that want a reply. */
export class MeshWork implements Work {
  readonly #options: MeshWorkOptions;

  constructor(options: MeshWorkOptions) {
    this.#options = options;
  }

  async begin(stored: StoredTask, _message: A2aMessage, text: string): Promise<void> {
    const { board } = this.#options;
    try {
      await this.#begin(stored, text);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      console.error(`a2a: task ${stored.task.id}: ${why}`);
      board.change(stored.task.id, {
        state: TaskState.TASK_STATE_FAILED,
        text: "The gateway could not hand the task over.",
      });
    }
  }

  async cancel({ task, owner }: StoredTask): Promise<void> {
    const { board, runs, station } = this.#options;
    runs?.cancel(task.id);
    for (const link of board.store.linksOf(task.id)) {
      if (link.session === undefined || this.#withdraw(link)) continue;
      const target = station.mesh.sessions.get({ harness: link.harness, key: link.session });
      const note = this.#message({ task, owner, agent: "", expires: Date.now() + NOTE_MS }, {
        text: `The task of message ${link.id} was canceled by whoever sent it. ` +
          "Stop working on it; send no answer.",
        to: { agentId: target?.agentId, session: link.session },
        project: target?.project ?? "",
        wants: "none",
        sendsAs: target === undefined ? station.agentId : undefined,
      });
      await this.#handOver(note, target !== undefined);
    }
  }

  /** Goes on after a restart: what was not handed over is handed over now. */
  async resume(): Promise<void> {
    const { board } = this.#options;
    for (const stored of board.store.open()) {
      const { id, status } = stored.task;
      const links = board.store.linksOf(id);
      if (links.some(({ session }) => session === undefined)) {
        // Nobody knows how far a run came: a second one could do everything twice.
        board.change(id, {
          state: TaskState.TASK_STATE_FAILED,
          text: "The gateway was stopped while the agent worked on it.",
        });
      } else if (status?.state === TaskState.TASK_STATE_SUBMITTED) {
        // The process may have been killed before the message was in the inbox; a second copy changes nothing.
        for (const link of links) await this.#again(stored, link);
      }
    }
  }

  /** Tries again to find somebody for tasks that nobody has. */
  async assign(): Promise<void> {
    const { board, runs } = this.#options;
    for (const stored of board.store.unassigned()) {
      const message = stored.task.history.at(-1);
      if (message === undefined || runs?.has(stored.task.id)) continue;
      await this.begin(stored, message, messageText(message));
    }
  }

  /** A task whose session has ended before it took the message goes to another one. */
  reroute(link: Link): boolean {
    if (!this.#withdraw(link)) return false;
    this.#options.board.store.unlink(link.id);
    return true;
  }

  async #begin(stored: StoredTask, text: string): Promise<void> {
    const { station, known, defaultAgent, runs, harnesses } = this.#options;
    const found = await this.#sameAgent(stored) ??
      await findAgent(station, stored.agent || defaultAgent, known);
    switch (found.kind) {
      case "unclear":
        return this.#reject(stored, found.why);
      case "session": {
        const { key, agentId, project, here, harness } = found.peer;
        const sendsAs = here ? undefined : station.agentId;
        const message = this.#message(stored, { text, to: { agentId, session: key }, project, sendsAs });
        return await this.#publish(stored, message, { harness, session: key, here });
      }
      case "nobody": {
        const harness = harnesses.find(({ id }) => id === found.harness);
        if (runs !== undefined && harness?.headless !== undefined) {
          runs.add(stored.task.id, harness, this.#message(stored, { text, to: {}, project: "" }));
        }
        // It waits here until somebody is there.
      }
    }
  }

  /** The session that has the task already, if it is still there. */
  async #sameAgent({ task }: StoredTask) {
    const { board, station, known } = this.#options;
    const session = board.store.linksOf(task.id).at(-1)?.session;
    if (session === undefined) return undefined;
    const found = await findAgent(station, session, known);
    return found.kind === "session" ? found : undefined;
  }

  async #publish(
    stored: StoredTask,
    message: Message,
    to: { harness: string; session: string; here: boolean },
  ): Promise<void> {
    // Before it is sent: the answer may be faster than the next line.
    const { harness, session } = to;
    this.#options.board.store.link({ id: message.id, task: stored.task.id, harness, session });
    const published = await this.#handOver(message, to.here);
    if (published?.kind === "failed" && published.code !== "later") this.#reject(stored, published.why);
    if (published === undefined || published.kind === "nobody") {
      this.#reject(stored, "The agent has just ended.");
    }
  }

  async #handOver(message: Message, here: boolean): Promise<Published | undefined> {
    const { local, remote, agentId } = this.#options.station;
    return here
      ? await local.publish(message)
      : await remote?.receiver.post({ message, url: remote.url, agentId });
  }

  async #again(stored: StoredTask, { id, harness, session = "" }: Link): Promise<void> {
    const { station } = this.#options;
    const last = stored.task.history.at(-1);
    if (last === undefined) return;
    const target = station.mesh.sessions.get({ harness, key: session });
    const to = { agentId: target?.agentId, session };
    const message = this.#message(stored, {
      id,
      text: messageText(last),
      to,
      project: target?.project ?? "",
    });
    await station.local.publish(message);
  }

  #message(
    { task, owner, expires }: StoredTask,
    more: Pick<Parameters<typeof taskMessage>[0], "text" | "to" | "project" | "id" | "wants" | "sendsAs">,
  ): Message {
    const { mesh, machine } = this.#options.station;
    return taskMessage({ task, owner, gateway: mesh.gateway, machine, ttlMs: expires - Date.now(), ...more });
  }

  #withdraw({ id, harness, session = "" }: Link): boolean {
    return this.#options.station.mesh.inbox.withdraw({ harness, key: session }, { id, priority: PRIORITY });
  }

  #reject({ task }: StoredTask, text: string): void {
    if (isTerminal(task.status?.state)) return;
    this.#options.board.change(task.id, { state: TaskState.TASK_STATE_REJECTED, text });
  }
}
