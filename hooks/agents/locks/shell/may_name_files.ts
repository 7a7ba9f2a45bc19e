import { isObject } from "../../../json.ts";

/** Redirections, and the commands whose files the reader can name. */
const WRITERS =
  />|\b(?:apply_?patch|[gm]?awk|chgrp|chmod|chown|cp|date|dd|file|find|git|g?sed|install|ln|mkdir|mv|patch|perl|rg|rm|rmdir|sort|tee|touch|tree|truncate|uniq|unlink|xxd)\b/;

/**
 * Whether the reader might name a file that this input of a shell tool writes. Most
 * lines only run or read something: the reader, which is large, is not loaded for them.
 */
export function mayNameFiles(input: unknown): boolean {
  const values = isObject(input) ? Object.values(input) : [input];
  return values.flat().some((value) => typeof value === "string" && WRITERS.test(value));
}
