import { taskStateToJSON } from "@a2a-js/sdk";
import type { DatabaseSync } from "node:sqlite";
import { agentLogPath } from "../../../../hooks/agents/log_line.ts";
import { Locks } from "../../../../hooks/agents/locks/locks.ts";
import { isObject, parseObject } from "../../../../hooks/json.ts";
import { pause } from "../pause.ts";
import type { Deliveries } from "../push/deliveries.ts";
import type { StoredTask } from "../tasks/task_store.ts";
import { LogTail } from "./log_tail.ts";
import { type WebhookEvent, Webhooks } from "./webhook.ts";

const LOOK_MS = 500;

/** Tells the user's webhooks what happens. The texts of messages and answers stay here. */
export class WebhookEvents {
  readonly #webhooks: Webhooks;
  readonly #deliveries: Deliveries;
  readonly #messages: LogTail;
  readonly #locks: LogTail;

  /** `dir` is the directory of the mesh. */
  constructor(database: DatabaseSync, deliveries: Deliveries, dir: string) {
    this.#webhooks = new Webhooks(database);
    this.#deliveries = deliveries;
    this.#messages = new LogTail(database, agentLogPath(dir));
    this.#locks = new LogTail(database, new Locks(dir).logPath);
  }

  task(event: WebhookEvent, { task, owner, agent }: StoredTask): void {
    this.#send(event, {
      taskId: task.id,
      contextId: task.contextId,
      state: taskStateToJSON(task.status?.state ?? 0),
      client: owner,
      agent: agent || undefined,
    });
  }

  /** Follows the logs of the mesh until `signal` is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    this.#messages.begin();
    this.#locks.begin();
    while (!signal.aborted) {
      this.look();
      await pause(LOOK_MS, signal);
    }
  }

  look(): void {
    try {
      const messages = this.#messages.read();
      for (const line of messages.lines) this.#message(parseObject(line) ?? {});
      messages.done();
      const locks = this.#locks.read();
      for (const line of locks.lines) this.#lock(parseObject(line) ?? {});
      locks.done();
    } catch (error) {
      console.error(`a2a: webhooks: ${error instanceof Error ? error.message : error}`);
    }
  }

  #message({ event, session, harness, message }: Record<string, unknown>): void {
    if (event !== "put" || !isObject(message) || !isObject(message.from)) return;
    if (message.kind !== "message" && message.kind !== "reply") return;
    const { id, kind, priority, thread, replyTo, from } = message;
    this.#send("message.received", {
      id,
      kind,
      priority,
      thread,
      replyTo,
      from: { agentId: from.agentId, harness: from.harness, session: from.session },
      to: { harness, session },
    });
  }

  #lock({ event, at, path, owner, by, agentId, detail }: Record<string, unknown>): void {
    if (event === "violated") this.#send("lock.violated", { at, path, owner, by, agentId, detail });
  }

  #send(event: WebhookEvent, data: Record<string, unknown>): void {
    for (const { id, url, events, secret } of this.#webhooks.list()) {
      if (!events.includes(event)) continue;
      this.#deliveries.add({
        config: `webhook ${id}`,
        url,
        headers: { "Content-Type": "application/json", "X-Signet-Event": event },
        secret,
        // The user of this machine chose the address.
        checked: false,
        body: JSON.stringify({ id: crypto.randomUUID(), event, at: new Date().toISOString(), data }),
      });
    }
  }
}
