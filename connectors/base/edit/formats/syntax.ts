import type { Json } from "../edit.ts";
import type { Concern, Section } from "../sections/sections.ts";
import type { Splice } from "../text/splice.ts";
import type { Node } from "../tree.ts";

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

/** Reads and writes one format. */
export interface Syntax {
  /** Throws a ConfigError that names line and column. */
  read(text: string): Node;
  /** The top-level entries, in order; undefined for a layout in which they cannot be told apart. */
  sections(text: string): readonly Section[] | undefined;
  /** Reads only the sections that concern the caller, to save time; undefined where `sections` is. */
  readSections(text: string, concern: Concern): Node | undefined;
  write(text: string, root: Node, ops: readonly Op[]): Splice[];
}
