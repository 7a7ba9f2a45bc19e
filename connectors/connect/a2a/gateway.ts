import { type StreamResponse, TaskState } from "@a2a-js/sdk";
import type { DatabaseSync } from "node:sqlite";
import type { Hono } from "hono";
import type { Surroundings } from "../../../hooks/state/paths.ts";
import type { Known } from "../../base/agents/messages/send.ts";
import type { Station } from "../../base/agents/station.ts";
import type { Harness } from "../../base/harness.ts";
import { Deliveries } from "./push/deliveries.ts";
import { notify, pushKey } from "./push/push_notifications.ts";
import type { TargetRules } from "./push/target.ts";
import { Clients } from "./server/clients.ts";
import { gatewayApp } from "./server/gateway_app.ts";
import type { Addresses } from "./server/guard.ts";
import { PushConfigs } from "./server/push_configs.ts";
import { TaskBoard } from "./tasks/task_board.ts";
import { type StoredTask, TaskStore } from "./tasks/task_store.ts";
import { Answers } from "./work/answers.ts";
import { findHarness } from "./work/find_harness.ts";
import { HeadlessRuns } from "./work/headless_runs.ts";
import { MeshWork } from "./work/mesh_work.ts";
import { WebhookEvents } from "./webhooks/webhook_events.ts";

export interface GatewaySettings {
  readonly database: DatabaseSync;
  readonly station: Station;
  readonly known: Known;
  readonly harnesses: readonly Harness[];
  readonly host: Surroundings;
  readonly addresses: Addresses;
  /** The address in agent cards, without a slash at the end. */
  readonly url: string;
  /** Who does tasks that name no agent; "" for the only live session. */
  readonly defaultAgent: string;
  /** Present: a task for a harness without a session starts one. */
  readonly start?: { readonly cwd: string; readonly most: number; readonly timeoutMs: number };
  readonly ttlMs: number;
  readonly blockingMs?: number;
  readonly mostStreams?: number;
  readonly compat?: boolean;
  readonly rules: TargetRules;
  readonly caCerts?: string[];
  readonly pausesMs?: readonly number[];
  log(line: string): void;
}

/** The gateway without its socket: the application, and what runs besides it. */
export class Gateway {
  readonly app: Hono;
  readonly board: TaskBoard;
  readonly #settings: GatewaySettings;
  readonly #deliveries: Deliveries;
  readonly #events: WebhookEvents;
  readonly #work: MeshWork;
  readonly #answers: Answers;
  readonly #runs?: HeadlessRuns;

  constructor(settings: GatewaySettings) {
    const { database, station, known, harnesses, host, start, rules, log, caCerts, pausesMs } = settings;
    this.#settings = settings;
    const store = new TaskStore(database);
    this.#deliveries = new Deliveries(database, { rules, log, caCerts, pausesMs });
    this.#events = new WebhookEvents(database, this.#deliveries, station.mesh.dir);
    this.board = new TaskBoard(store, (task, event) => this.#observe(task, event));
    const { board } = this;
    this.#runs = start && new HeadlessRuns({ board, host, ...start });
    const { defaultAgent } = settings;
    this.#work = new MeshWork({ station, board, known, harnesses, defaultAgent, runs: this.#runs });
    this.#answers = new Answers(station.mesh, board, this.#work);
    const clients = new Clients(database);
    const { addresses, url, ttlMs, blockingMs, mostStreams, compat } = settings;
    this.app = gatewayApp({
      board,
      work: this.#work,
      push: new PushConfigs(store, rules, (task, config) => this.#deliveries.drop(pushKey(task, config))),
      addresses,
      url,
      ttlMs,
      blockingMs,
      mostStreams,
      compat,
      clientOf: (token) => clients.clientOf(token),
      harnessOf: (handle) => findHarness(station.mesh, handle, harnesses),
      defaultHarness: () => findHarness(station.mesh, defaultAgent, harnesses),
    });
  }

  /** Does the gateway's work until `signal` is aborted, and ends what it started. */
  async run(signal: AbortSignal): Promise<void> {
    const { station } = this.#settings;
    await this.#work.resume();
    this.#deliveries.pump();
    await Promise.all([
      this.#answers.run(signal),
      this.#events.run(signal),
      station.remote?.receiver.run(signal),
    ]);
    await Promise.all([this.#runs?.stop(), this.#deliveries.stop()]);
  }

  #observe(stored: StoredTask, event: StreamResponse): void {
    notify(this.board.store, this.#deliveries, stored.task.id, event);
    const { payload } = event;
    if (payload?.$case !== "statusUpdate") return;
    const name = EVENTS[payload.value.status?.state ?? 0];
    if (name !== undefined) this.#events.task(name, stored);
  }
}

const EVENTS: { readonly [S in TaskState]?: "task.completed" | "task.failed" | "task.canceled" } = {
  [TaskState.TASK_STATE_COMPLETED]: "task.completed",
  [TaskState.TASK_STATE_FAILED]: "task.failed",
  [TaskState.TASK_STATE_REJECTED]: "task.failed",
  [TaskState.TASK_STATE_CANCELED]: "task.canceled",
};
