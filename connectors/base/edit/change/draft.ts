import type { Edit, Json, Path } from "../edit.ts";
import { covers, groupKeys, isMap, type JsonMap, same } from "../json_value.ts";
import type { Op } from "../formats/syntax.ts";
import {
  configError,
  entryOf,
  lineColumn,
  mergedEntry,
  type Node,
  resolve,
  setOwn,
  toJson,
} from "../tree.ts";

type ItemEdit = Extract<Edit, { kind: "item" }>;

/** What the edits created; kept in the ledger for the uninstall. */
export interface Made {
  /** Maps and lists that did not exist. */
  containers: Path[];
  /** Single values that became lists. */
  promoted: Path[];
  /** Settings that had no value before. */
  defaults: Path[];
  /** Values of the user that an edit replaced. */
  replaced: { path: Path; value: Json }[];
}

/** Collects what a set of edits does to a tree, as one change per node. */
export class Draft {
  readonly made: Made = { containers: [], promoted: [], defaults: [], replaced: [] };
  readonly conflicts: string[] = [];
  readonly #adds = new Map<Node, JsonMap>();
  readonly #appends = new Map<Node, Json[]>();
  readonly #promotions = new Map<Node, Json[]>();
  readonly #values = new Map<Node, { op: "fill" | "replace"; value: Json }>();
  /** Nodes whose text changes, from the top down. */
  readonly #touched = new Set<Node>();

  constructor(
    readonly text: string,
    readonly root: Node,
    /** The value that an earlier version wrote for an edit. */
    readonly previous: (edit: Edit) => Json | undefined = () => undefined,
  ) {}

  put(edit: Edit): void {
    let node = this.root;
    const parents: Node[] = [];
    for (const [i, key] of edit.path.entries()) {
      const rest = edit.path.slice(i);
      parents.push(node);
      const filled = this.#values.get(node)?.value;
      if (filled !== undefined) return this.#putJson(filled, rest, edit);
      if (isNothing(node)) return this.#fill(parents, rest, edit);
      if (node.kind === "alias") {
        throw this.#refuse(node, `${name(edit.path, i)} is an alias; replace it with its keys`);
      }
      if (node.kind !== "map") {
        throw this.#refuse(node, `${name(edit.path, i)} must be a map, but is ${describe(node)}`);
      }
      const entry = entryOf(node, key);
      if (!entry) return this.#putNew(parents, rest, edit);
      node = entry.value;
    }
    this.#putLast(node, parents, edit);
  }

  ops(): Op[] {
    for (const node of this.#touched) {
      const other = node.aliases?.find((alias) => this.#values.get(alias)?.op !== "replace");
      if (!other) continue;
      const { line } = lineColumn(this.text, node.start);
      throw this.#refuse(
        other,
        `this alias shares the value of line ${line}, which would change too; replace the alias with the value`,
      );
    }
    return [
      ...[...this.#adds].map(([node, map]): Op => ({ kind: "add", node, entries: Object.entries(map) })),
      ...[...this.#appends].map(([node, items]): Op => ({ kind: "append", node, items })),
      ...[...this.#promotions].map(([node, items]): Op => ({ kind: "promote", node, items })),
      ...[...this.#values].map(([node, { op, value }]): Op => ({ kind: op, node, value })),
    ];
  }

  #refuse(node: Node, message: string) {
    return configError(this.text, node.start, message);
  }

  #touch(parents: readonly Node[]): void {
    for (const node of parents) this.#touched.add(node);
  }

  #fill(parents: readonly Node[], rest: Path, edit: Edit): void {
    const node = parents.at(-1);
    if (!node) return;
    this.#touch(parents);
    if (node.kind === "map") return this.#putNew(parents, rest, edit);
    const map: JsonMap = {};
    this.#values.set(node, { op: "fill", value: map });
    this.#putJson(map, rest, edit);
  }

  #putNew(parents: readonly Node[], rest: Path, edit: Edit): void {
    const node = parents.at(-1);
    const key = rest[0];
    if (!node || key === undefined) return;
    const inherited = mergedEntry(node, key);
    if (edit.kind === "default" && inherited && rest.length === 1) return;
    this.#touch(parents);
    const pending = this.#adds.get(node) ?? {};
    // The new key would hide the value from the merge key, so that value is copied.
    if (inherited && !Object.hasOwn(pending, key)) setOwn(pending, key, toJson(inherited));
    this.#adds.set(node, pending);
    this.#putJson(pending, rest, edit);
  }

  /** The same rules, inside a value that is not in the file yet. */
  #putJson(into: Json, rest: Path, edit: Edit): void {
    let at = into;
    const depth = edit.path.length - rest.length;
    for (const [i, key] of rest.entries()) {
      if (!isMap(at)) throw this.#refuse(this.root, `${name(edit.path, depth + i)} must be a map`);
      const found: Json | undefined = Object.hasOwn(at, key) ? at[key] : undefined;
      if (i < rest.length - 1) {
        const next = found ?? {};
        if (found === undefined || found === null) {
          setOwn(at, key, next);
          this.made.containers.push(edit.path.slice(0, depth + i + 1));
        }
        at = next;
        continue;
      }
      if (edit.kind === "default") {
        if (found !== undefined) return;
        this.made.defaults.push(edit.path);
        setOwn(at, key, edit.value);
      } else if (edit.kind === "entry") setOwn(at, key, edit.value);
      else if (Array.isArray(found)) {
        if (!ownedIn(found, edit)) found.push(wanted(found, edit));
      } else if (found === undefined || found === null) {
        this.made.containers.push(edit.path);
        setOwn(at, key, [edit.value]);
      } else setOwn(at, key, [found, wanted([found], edit)]);
    }
  }

  #putLast(node: Node, parents: readonly Node[], edit: Edit): void {
    if (edit.kind === "default") return;
    if (edit.kind === "entry") {
      const value = toJson(node);
      if (covers(value, edit.value)) return;
      if (value === null) {
        this.#touch([...parents, node]);
        this.#values.set(node, { op: "fill", value: edit.value });
      } else if (edit.replaces) {
        if (!same(value, this.previous(edit))) this.made.replaced.push({ path: edit.path, value });
        this.#touch(parents);
        this.#values.set(node, { op: "replace", value: edit.value });
      } else if (edit.owns(value)) this.#update(node, edit.value, parents);
      else {this.conflicts.push(
          `${edit.path.join(".")} (line ${
            lineColumn(this.text, node.start).line
          }) belongs to another program and was kept`,
        );}
      return;
    }
    this.#putItem(node, parents, edit);
  }

  #putItem(node: Node, parents: readonly Node[], edit: ItemEdit): void {
    const filled = this.#values.get(node)?.value;
    if (Array.isArray(filled)) {
      if (!ownedIn(filled, edit)) filled.push(wanted(filled, edit));
      return;
    }
    if (isNothing(node) && node.kind !== "list") {
      this.#touch([...parents, node]);
      this.#values.set(node, { op: "fill", value: [edit.value] });
      return;
    }
    const real = resolve(node);
    if (real.kind === "list") {
      const owned = ownedItems(real, edit)[0];
      if (owned) {
        if (owned.alias) return;
        if (owned.around) this.#update(owned.around.node, owned.around.want, [...parents, node]);
        const rewritten = withoutKeys(owned, edit.replaced ?? []);
        if (rewritten === undefined) return this.#update(owned.node, owned.want, [...parents, node]);
        this.#touch([...parents, node]);
        this.#values.set(owned.node, { op: "replace", value: rewritten });
        return;
      }
      if (node.kind === "alias") {
        // The list belongs to its anchor: replace the alias with a copy.
        const copy = toJson(real);
        this.#touch(parents);
        if (Array.isArray(copy)) {
          this.#values.set(node, { op: "replace", value: [...copy, wanted(copy, edit)] });
        }
        return;
      }
      this.#touch([...parents, node]);
      const pending = this.#appends.get(node) ?? [];
      const shape = toJson(real);
      pending.push(wanted(Array.isArray(shape) ? shape : [], edit));
      this.#appends.set(node, pending);
      return;
    }
    const value = toJson(node);
    if (edit.inner === undefined && edit.owns(value)) {
      return this.#update(node, typeof value === "string" ? edit.text ?? edit.value : edit.value, parents);
    }
    if (edit.inner !== undefined && !isMap(value)) {
      throw this.#refuse(node, `${edit.path.join(".")} must be a list, but is ${describe(node)}`);
    }
    if (typeof value !== "string" && !isMap(value)) {
      throw this.#refuse(node, `${edit.path.join(".")} must be a list, but is ${describe(node)}`);
    }
    this.#touch(parents);
    this.made.promoted.push(edit.path);
    const pending = this.#promotions.get(node) ?? [];
    pending.push(wanted([value], edit));
    this.#promotions.set(node, pending);
  }

  /** Changes only what differs, so that an upgrade has a small diff and keeps the user's additions. */
  #update(node: Node, want: Json, parents: readonly Node[]): void {
    if (covers(toJson(node), want)) return;
    if (node.kind === "map" && isMap(want)) {
      for (const [key, value] of Object.entries(want)) {
        const entry = entryOf(node, key);
        if (entry) this.#update(entry.value, value, [...parents, node]);
        else {
          this.#touch([...parents, node]);
          const pending = this.#adds.get(node) ?? {};
          setOwn(pending, key, value);
          this.#adds.set(node, pending);
        }
      }
      return;
    }
    this.#touch(parents);
    this.#values.set(node, { op: "replace", value: want });
  }
}

/** Our item with the keys of an earlier form replaced; undefined if it has none of them. */
function withoutKeys({ node, want }: OwnedItem, replaced: readonly string[]): JsonMap | undefined {
  const value = toJson(node);
  if (!isMap(value) || !isMap(want)) return undefined;
  const keys = replaced.filter((key) => Object.hasOwn(value, key) && !Object.hasOwn(want, key));
  if (keys.length === 0) return undefined;
  return { ...Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key))), ...want };
}

/** True if an edit can put a list or map here without replacing anything. */
function isNothing(node: Node): boolean {
  if (node.kind === "scalar") return node.scalar === null;
  return node.kind !== "alias" && node.entries.length + node.items.length === 0 &&
    (node.merged?.length ?? 0) === 0;
}

/** A list of strings gets a string, everything else gets the value. */
function wanted(beside: readonly Json[], edit: ItemEdit): Json {
  const strings = beside.length > 0 && beside.every((item) => typeof item === "string");
  return strings && edit.text !== undefined ? edit.text : edit.value;
}

function ownedIn(list: readonly Json[], edit: ItemEdit): boolean {
  const inner = edit.inner;
  if (inner === undefined) return list.some((item) => edit.owns(item));
  return list.some((group) => {
    const handlers = isMap(group) ? group[inner] : undefined;
    return Array.isArray(handlers) && handlers.some((handler) => edit.owns(handler));
  });
}

/** An item that an edit owns, and its position. */
export interface OwnedItem {
  readonly node: Node;
  readonly want: Json;
  readonly list: Node;
  readonly index: number;
  /** The item of the outer list that holds it, for handlers inside groups. */
  readonly group: number;
  /** True if the item is an alias or inside one. */
  readonly alias: boolean;
  /** The group that holds nothing else, with the keys that it should have; a group with handlers of the user is theirs. */
  readonly around?: { readonly node: Node; readonly want: JsonMap };
}

/** Whether an item, and the group around it, have what an edit writes. */
export function isCurrent({ node, want, around }: OwnedItem): boolean {
  return covers(toJson(node), want) && (around === undefined || covers(toJson(around.node), around.want));
}

/** Every item of a list that an edit owns. */
export function ownedItems(list: Node, edit: ItemEdit): OwnedItem[] {
  const inner = edit.inner;
  const out: OwnedItem[] = [];
  const collect = (
    from: Node,
    want: Json,
    shared: boolean,
    group?: number,
    around?: OwnedItem["around"],
  ) => {
    for (const [index, node] of from.items.entries()) {
      const value = toJson(node);
      if (!edit.owns(value)) continue;
      const text = typeof value === "string" ? edit.text ?? want : want;
      out.push({
        node,
        want: text,
        list: from,
        index,
        group: group ?? index,
        alias: shared || node.kind === "alias",
        around,
      });
    }
  };
  if (inner === undefined) collect(list, edit.value, false);
  else {
    const model = isMap(edit.value) ? edit.value[inner] : undefined;
    const want = Array.isArray(model) ? model[0] ?? null : null;
    for (const [group, item] of list.items.entries()) {
      const map = resolve(item);
      const handlers = map.kind === "map" ? entryOf(map, inner)?.value : undefined;
      if (!handlers) continue;
      const real = resolve(handlers);
      const shared = item.kind === "alias" || handlers.kind === "alias";
      const isAlone = !shared && real.items.length === 1;
      const around = isAlone ? { node: map, want: groupKeys(edit.value, inner) } : undefined;
      collect(real, want, shared, group, around);
    }
  }
  return out;
}

function name(path: Path, length: number): string {
  return length === 0 ? "the document" : path.slice(0, length).join(".");
}

function describe(node: Node): string {
  const value = toJson(node);
  if (Array.isArray(value)) return "a list";
  if (isMap(value)) return "a map";
  return typeof value === "string" ? "a string" : `${value}`;
}
