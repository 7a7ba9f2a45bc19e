import type { Json } from "./edit.ts";
import type { Splice } from "./splice.ts";
import type { Node } from "./tree.ts";

/** One change to a tree. A batch has at most one for each node. */
export type Op =
  | { readonly kind: "add"; readonly node: Node; readonly entries: readonly [string, Json][] }
  | { readonly kind: "append"; readonly node: Node; readonly items: readonly Json[] }
  /** Sets the value of a null, an empty map or list, or an empty file. */
  | { readonly kind: "fill"; readonly node: Node; readonly value: Json }
  | { readonly kind: "replace"; readonly node: Node; readonly value: Json }
  /** One value becomes a list of it and of `items`. */
  | { readonly kind: "promote"; readonly node: Node; readonly items: readonly Json[] }
  | { readonly kind: "drop"; readonly node: Node; readonly indexes: ReadonlySet<number> }
  /** A list becomes its last remaining item; if the layout does not allow it, the other items are dropped. */
  | { readonly kind: "unlist"; readonly node: Node; readonly keep: number };

/** Whether a top-level section of a file matters to the reader: its key, its text. */
export type Concern = (key: string, section: string) => boolean;

/** Reads and writes one format. */
export interface Syntax {
  /** Throws a ConfigError that names line and column. `concern` lets a format skip sections, to save time. */
  read(text: string, concern?: Concern): Node;
  write(text: string, root: Node, ops: readonly Op[]): Splice[];
}
