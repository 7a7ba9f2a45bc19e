import type { TaskPushNotificationConfig } from "@a2a-js/sdk";
import { RequestMalformedError, TaskNotFoundError } from "@a2a-js/sdk/errors";
import type { TargetRules } from "../push/target.ts";
import { checkTarget } from "../push/target.ts";
import type { TaskStore } from "../tasks/task_store.ts";

/** More than this many addresses for one task are a mistake or an attack. */
const MOST = 10;

/** Where clients want to be notified about their tasks. */
export class PushConfigs {
  readonly #store: TaskStore;
  readonly #rules: TargetRules;
  readonly #dropped: (task: string, config: string) => void;

  /** `dropped` is called when nothing more may be sent for a config. */
  constructor(store: TaskStore, rules: TargetRules, dropped: (task: string, config: string) => void) {
    this.#store = store;
    this.#rules = rules;
    this.#dropped = dropped;
  }

  async create(task: string, config: TaskPushNotificationConfig): Promise<TaskPushNotificationConfig> {
    return this.store(task, await this.check(config));
  }

  /** Throws if nobody may be notified at this address. */
  async check(config: TaskPushNotificationConfig): Promise<TaskPushNotificationConfig> {
    const checked = await checkTarget(config.url, this.#rules);
    if (checked.kind === "refused") throw new RequestMalformedError(`Push notifications: ${checked.why}.`);
    for (const value of [config.token, config.authentication?.scheme, config.authentication?.credentials]) {
      // deno-lint-ignore no-control-regex -- a line break would add a header
      if (/[\u0000-\u001f\u007f]/.test(value ?? "")) {
        throw new RequestMalformedError("Push notifications: a control character is in a credential.");
      }
    }
    return config;
  }

  store(task: string, config: TaskPushNotificationConfig): TaskPushNotificationConfig {
    const stored = { ...config, taskId: task, id: config.id || crypto.randomUUID() };
    const others = this.#store.configs(task).filter(({ id }) => id !== stored.id);
    if (others.length >= MOST) {
      throw new RequestMalformedError(`A task can have ${MOST} push configurations.`);
    }
    this.#store.saveConfig(stored);
    return stored;
  }

  delete(task: string, id: string): void {
    this.#store.deleteConfig(task, id);
    this.#dropped(task, id);
  }

  get(task: string, id: string): TaskPushNotificationConfig {
    const config = this.#store.configs(task).find((each) => each.id === id);
    if (config === undefined) throw new TaskNotFoundError(`Task ${task} has no push configuration ${id}.`);
    return config;
  }
}
