import type { Edit, Json, Path } from "../edit.ts";
import { ownedItems } from "./draft.ts";
import type { Made } from "./draft.ts";
import { groupKeys, handlerOf, isMap, same } from "../json_value.ts";
import type { Op } from "../formats/syntax.ts";
import { entryOf, type Node, toJson } from "../tree.ts";

/** Collects what is removed from a tree. */
export class Removal {
  readonly #drops = new Map<Node, Set<number>>();
  readonly #parents = new Map<Node, { parent: Node; index: number; path: Path }>();
  /** Lists that lost items, with their paths. */
  readonly #lists = new Map<Node, Path>();
  /** Values that an edit replaced, and that come back. */
  readonly #restored = new Map<Node, Json>();

  constructor(readonly root: Node) {}

  /** The node at a path. Remembers its parents, which may become empty. */
  find(path: Path): Node | undefined {
    let node = this.root;
    for (const [i, key] of path.entries()) {
      if (node.kind !== "map") return undefined;
      const entry = entryOf(node, key);
      if (!entry) return undefined;
      this.#parents.set(entry.value, {
        parent: node,
        index: node.entries.indexOf(entry),
        path: path.slice(0, i + 1),
      });
      node = entry.value;
    }
    return node;
  }

  drop(node: Node, index: number): void {
    const set = this.#drops.get(node) ?? new Set();
    set.add(index);
    this.#drops.set(node, set);
  }

  dropAt(node: Node): void {
    const up = this.#parents.get(node);
    if (up) this.drop(up.parent, up.index);
  }

  /** Removes what an edit added; `keepFirst` keeps one, to remove duplicates only. */
  remove(edit: Edit, made: Pick<Made, "defaults" | "replaced">, keepFirst = false): void {
    const node = this.find(edit.path);
    if (!node) return;
    if (edit.kind === "entry") {
      // A value that the user changed after we replaced theirs is not ours any more.
      const isOwned = edit.replaces ? same(toJson(node), edit.value) : edit.owns(toJson(node));
      if (keepFirst || !isOwned) return;
      const before = made.replaced.find(({ path }) => same(path, edit.path));
      if (before) this.#restored.set(node, before.value);
      else this.dropAt(node);
    } else if (edit.kind === "default") {
      const ours = made.defaults.some((path) => same(path, edit.path));
      if (!keepFirst && ours && same(toJson(node), edit.value)) this.dropAt(node);
    } else if (node.kind === "list") {
      for (const own of ownedItems(node, edit).filter((own) => !own.alias).slice(keepFirst ? 1 : 0)) {
        if (own.list !== node) this.within(node, own.list, own.group);
        this.drop(own.list, own.index);
        this.#lists.set(node, edit.path);
      }
    } else if (!keepFirst && edit.inner === undefined && edit.owns(toJson(node))) this.dropAt(node);
  }

  /** Removes keys of an owned entry that an earlier version wrote and this one does not; the user's keys stay. */
  removeOutdated(edit: Edit, previous: Json): void {
    const node = this.find(edit.path);
    if (!node) return;
    if (edit.kind === "entry" && edit.owns(toJson(node))) this.#outdated(node, edit.value, previous);
    if (edit.kind !== "item" || node.kind !== "list") return;
    const own = ownedItems(node, edit)[0];
    if (!own || own.alias) return;
    // Without these keys our item could no longer be recognised: Draft removes them.
    const outdated = handlerOf(previous, edit.inner);
    const replaced = edit.replaced ?? [];
    const rest = isMap(outdated)
      ? Object.fromEntries(Object.entries(outdated).filter(([key]) => !replaced.includes(key)))
      : outdated;
    this.#outdated(own.node, own.want, rest);
    if (own.around && edit.inner !== undefined) {
      this.#outdated(own.around.node, own.around.want, groupKeys(previous, edit.inner));
    }
  }

  #outdated(node: Node, want: Json, previous: Json): void {
    if (node.kind !== "map" || !isMap(want) || !isMap(previous)) return;
    for (const [index, { key, value }] of node.entries.entries()) {
      const old = Object.hasOwn(previous, key) ? previous[key] : undefined;
      if (old === undefined) continue;
      const now = Object.hasOwn(want, key) ? want[key] : undefined;
      if (now !== undefined) this.#outdated(value, now, old);
      else if (same(toJson(value), old)) this.drop(node, index);
    }
  }

  /** Registers a group of handlers, so that it is removed when it becomes empty. */
  within(list: Node, handlers: Node, index: number): void {
    this.#parents.set(handlers, { parent: list, index, path: [] });
  }

  ops(made: Pick<Made, "containers" | "promoted">): Op[] {
    // Deepest first: what empties a list may empty the map around it.
    let changed = true;
    while (changed) {
      changed = false;
      for (const [node, indexes] of [...this.#drops]) {
        const up = this.#parents.get(node);
        if (!up || indexes.size < node.entries.length + node.items.length || (node.merged?.length ?? 0) > 0) {
          continue;
        }
        const ours = up.path.length === 0 || made.containers.some((path) => same(path, up.path));
        if (!ours || this.#drops.get(up.parent)?.has(up.index)) continue;
        this.drop(up.parent, up.index);
        this.#drops.delete(node);
        changed = true;
      }
    }
    const drops = [...this.#drops].filter(([node]) => !this.#gone(node)).map(([node, indexes]): Op => {
      const path = this.#lists.get(node);
      const left = node.items.length - indexes.size;
      if (path && left === 1 && made.promoted.some((one) => same(one, path))) {
        const keep = node.items.findIndex((_, index) => !indexes.has(index));
        return { kind: "unlist", node, keep };
      }
      return { kind: "drop", node, indexes };
    });
    return [...drops, ...[...this.#restored].map(([node, value]): Op => ({ kind: "replace", node, value }))];
  }

  #gone(node: Node): boolean {
    for (let up = this.#parents.get(node); up; up = this.#parents.get(up.parent)) {
      if (this.#drops.get(up.parent)?.has(up.index)) return true;
    }
    return false;
  }
}
