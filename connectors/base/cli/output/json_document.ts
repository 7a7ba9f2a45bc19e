import { isObject } from "../../../../hooks/json.ts";

/** What `--json` prints. All keys are snake_case, as the connector contract has them. */
export function jsonDocument(data: unknown): string {
  return JSON.stringify(data, (_, value: unknown) => isObject(value) ? withSnakeKeys(value) : value, 2) +
    "\n";
}

function withSnakeKeys(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [snakeCase(key), item]));
}

/** `lastFired` as `last_fired`; a key that is a name, such as `session-start` or a path, has no such form. */
function snakeCase(key: string): string {
  return /^[a-z]+(?:[A-Z][a-z0-9]*)+$/.test(key)
    ? key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    : key;
}
