import type { Edit, Json } from "../base/edit/edit.ts";
import type { Harness, Move, Site } from "../base/harness.ts";
import { asJson, same } from "../base/edit/json_value.ts";
import { isObject } from "../../hooks/json.ts";
import { withoutOriginalEntries } from "../base/install/original/original_command.ts";
import { ownsHandler } from "../base/hooks_config/hook_groups.ts";
import { sha256 } from "./sha256.ts";

/** `SessionStart` as Codex writes it in a trust record: `session_start`. */
export function snakeCase(native: string): string {
  return native.replace(/(?<=.)[A-Z]/g, "_$&").toLowerCase();
}

/** JSON with sorted keys and no space: the form that Codex hashes. */
function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1);
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(",")}}`;
}

/**
 * The hash that Codex 0.166 expects, as its `hooks/list` shows it. It leaves out
 * `commandWindows` and includes the default of `async`.
 */
export function trustedHash(native: string, handler: { [key: string]: Json }): string {
  const { commandWindows: _, ...hashed } = handler;
  return `sha256:${
    sha256(canonical({ event_name: snakeCase(native), hooks: [{ async: false, ...hashed }] }))
  }`;
}

/** How many of our hooks a person has to trust. */
export function hookCount({ events, agentEvents }: Pick<Site, "events" | "agentEvents">): number {
  return Object.keys(events).length + Object.keys(agentEvents).length;
}

/** The position of our handler in an event's groups, now or once it is appended. */
function position(harness: Harness, groups: Json | undefined): [group: number, handler: number] {
  const list = Array.isArray(groups) ? groups : [];
  for (const [index, group] of list.entries()) {
    const handlers = isObject(group) && Array.isArray(group.hooks) ? group.hooks : [];
    const ours = handlers.findIndex((handler) => ownsHandler(harness, handler));
    if (ours >= 0) return [index, ours];
  }
  return [list.length, 0];
}

/** The key under `[hooks.state]` for our handler of an event. */
export function stateKey(harness: Harness, site: Site, native: string): string {
  const path = harness.configPath(site);
  const config = site.peek(path, "json", ["hooks"]);
  // Its groups go, and the positions of the others change.
  const file = site.flags.replaceSignetCli ? asJson(withoutOriginalEntries(config)) : config;
  const groups = isObject(file) && isObject(file.hooks) ? file.hooks[native] : undefined;
  return [path, snakeCase(native), ...position(harness, groups)].join(":");
}

/**
 * The records that let our hooks run, written only with `--trust-hooks`. Existing
 * records, from us or from `/hooks`, are included, so that an upgrade keeps the
 * trust and an uninstall removes it.
 */
export function trustRecords(harness: Harness, site: Site, hooks: readonly Edit[], config: string): Edit[] {
  const ours = hooks.flatMap((edit) => {
    const native = edit.path.at(-1);
    if (native === undefined || !isObject(edit.value) || !Array.isArray(edit.value.hooks)) return [];
    const key = stateKey(harness, site, native);
    return edit.value.hooks.filter((handler) => isObject(handler)).map((handler) => ({
      key,
      hash: trustedHash(native, handler),
    }));
  });
  const written = recordsIn(site.peek(config, "toml", ["hooks"]));
  const wanted = ours.filter(({ key, hash }) => {
    const record = written[key];
    return site.flags.trustHooks || (isObject(record) && record.trusted_hash === hash);
  });
  // To remove them, the hooks of every version are here, and some share a position.
  const byKey = new Map(wanted.map(({ key, hash }) => [key, hash]));
  return [...byKey].map(([key, hash]) => ({
    kind: "entry",
    path: ["hooks", "state", key],
    value: { trusted_hash: hash },
    // Whatever the record trusts, its key is the position of our hook: an older definition, for example.
    owns: () => true,
  }));
}

/**
 * The user's trust records that must follow their hooks to the positions in `after`:
 * the key of a record has the position of its hook, and hooks before it are gone.
 */
export function movedRecords(harness: Harness, site: Site, config: string, after: Json | undefined): Move[] {
  const path = harness.configPath(site);
  const records = recordsIn(site.peek(config, "toml", ["hooks"]));
  const left = eventsIn(after);
  return Object.entries(eventsIn(site.peek(path, "json", ["hooks"]))).flatMap(([native, groups]) => {
    const key = (position: Position) => [path, snakeCase(native), ...position].join(":");
    return newPositions(userHandlers(harness, groups), userHandlers(harness, left[native])).flatMap(
      ([from, to]) => {
        const value = records[key(from)];
        if (value === undefined || key(from) === key(to)) return [];
        return [{ from: ["hooks", "state", key(from)], to: ["hooks", "state", key(to)], value }];
      },
    );
  });
}

/** Whether a trust record of the user depends on the position of a hook that an install or uninstall removes. */
export function mayMoveRecords(harness: Harness, site: Site, config: string): boolean {
  const file = asJson(withoutOriginalEntries(site.peek(harness.configPath(site), "json", ["hooks"])));
  const hooks = Object.fromEntries(
    Object.entries(eventsIn(file)).map(([native, groups]) => [native, withoutOurs(harness, groups)]),
  );
  return movedRecords(harness, site, config, { hooks }).length > 0;
}

type Position = [group: number, handler: number];
type Placed = [position: Position, handler: Json];

function handlersIn(group: Json): readonly Json[] {
  return isObject(group) && Array.isArray(group.hooks) ? group.hooks : [];
}

/** A group that holds nothing but our handlers is removed with them. */
function withoutOurs(harness: Harness, groups: Json | undefined): Json[] {
  return (Array.isArray(groups) ? groups : []).flatMap((group) => {
    const handlers = handlersIn(group);
    const users = handlers.filter((handler) => !ownsHandler(harness, handler));
    if (users.length === handlers.length || !isObject(group)) return [group];
    return users.length === 0 ? [] : [{ ...group, hooks: users }];
  });
}

/** The handlers of an event that are not ours, in order. */
function userHandlers(harness: Harness, groups: Json | undefined): Placed[] {
  return (Array.isArray(groups) ? groups : []).flatMap((group, at) =>
    handlersIn(group).flatMap((handler, index): Placed[] =>
      ownsHandler(harness, handler) ? [] : [[[at, index], handler]]
    )
  );
}

/** Where each handler goes. Their order stays; those of the original Signet may go or come back. */
function newPositions(before: readonly Placed[], after: readonly Placed[]): [from: Position, to: Position][] {
  const positions: [Position, Position][] = [];
  let next = 0;
  for (const [from, handler] of before) {
    const at = after.findIndex(([, left], index) => index >= next && same(left, handler));
    const [to] = after[at] ?? [];
    if (to === undefined) continue;
    positions.push([from, to]);
    next = at + 1;
  }
  return positions;
}

function eventsIn(file: Json | undefined): { [native: string]: Json } {
  return isObject(file) && isObject(file.hooks) ? file.hooks : {};
}

function recordsIn(config: Json | undefined): { [key: string]: Json } {
  const hooks = isObject(config) ? config.hooks : undefined;
  return isObject(hooks) && isObject(hooks.state) ? hooks.state : {};
}
