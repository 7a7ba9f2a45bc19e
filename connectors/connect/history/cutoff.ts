import type { DatabaseSync } from "node:sqlite";
import { number } from "../../base/history/database.ts";

/** What a message takes besides its text: columns, indexes, events. */
const ROW_BYTES = 700;
/** What the tables and indexes take without any message. */
const EMPTY_BYTES = 80_000;

/** The size of the database file. */
export function databaseSize(database: DatabaseSync): number {
  return pragma(database, "page_count") * pragma(database, "page_size");
}

/** The size that the file would have without unused pages. */
export function usedSize(database: DatabaseSync): number {
  return (pragma(database, "page_count") - pragma(database, "freelist_count")) *
    pragma(database, "page_size");
}

/**
 * The time before which messages must go so that the file takes about `bytes`; 0 if
 * none must. A message takes space in proportion to its text, twice: the words are indexed.
 */
export function cutoffForSize(database: DatabaseSync, bytes: number): number {
  const used = usedSize(database);
  if (used <= bytes) return 0;
  const weight = `length(cast(text as blob)) * 2 + ${ROW_BYTES}`;
  const total = number(database.prepare(`select sum(${weight}) total from messages`).get()?.total);
  const share = Math.max(0, bytes - EMPTY_BYTES) / Math.max(1, used - EMPTY_BYTES);
  const query = `select logged from (
      select logged, n, sum(${weight}) over (order by logged desc, n desc) newer from messages
    ) where newer > ? order by logged desc, n desc limit 1`;
  const newestToGo = database.prepare(query).get(total * Math.min(1, Math.max(0, share)))?.logged;
  return typeof newestToGo === "number" ? newestToGo + 1 : 0;
}

function pragma(database: DatabaseSync, name: "page_count" | "page_size" | "freelist_count"): number {
  return number(database.prepare(`pragma ${name}`).get()?.[name]);
}
