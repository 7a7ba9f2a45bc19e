import { A2A_CONTENT_TYPE, StreamResponse, type TaskPushNotificationConfig } from "@a2a-js/sdk";
import type { TaskStore } from "../tasks/task_store.ts";
import type { Deliveries } from "./deliveries.ts";

/** Queues an event of a task for everybody who wants to be notified about it. */
export function notify(store: TaskStore, deliveries: Deliveries, task: string, event: StreamResponse): void {
  for (const config of store.configs(task)) {
    deliveries.add({
      config: pushKey(task, config.id),
      url: config.url,
      headers: headersOf(config),
      secret: config.token,
      checked: true,
      body: JSON.stringify(StreamResponse.toJSON(event)),
    });
  }
}

function headersOf({ token, authentication }: TaskPushNotificationConfig): Record<string, string> {
  return {
    "Content-Type": A2A_CONTENT_TYPE,
    ...(token === "" ? {} : { "X-A2A-Notification-Token": token }),
    ...(authentication?.scheme
      ? { Authorization: `${authentication.scheme} ${authentication.credentials}`.trim() }
      : {}),
  };
}

/** Names a config among all that is to be delivered. */
export function pushKey(task: string, config: string): string {
  return `push ${task} ${config}`;
}
