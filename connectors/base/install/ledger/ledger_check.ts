import { isObject } from "../../../../hooks/json.ts";
import type { EntryRecord, FileRecord, Ledger } from "./ledger.ts";

/** Whether a parsed file is a ledger. Checks everything that the engine relies on: the file may be damaged, or hostile. */
export function isLedger(value: unknown): value is Ledger {
  return isObject(value) && typeof value.version === "number" && typeof value.harness === "string" &&
    (value.at === undefined || typeof value.at === "string") &&
    (value.partial === undefined || typeof value.partial === "boolean") &&
    isList(value.files, isFile) && isList(value.dirs, isString) &&
    isList(value.links, (link) =>
      isObject(link) && isString(link.path) && isString(link.to) &&
      (link.was === undefined || isString(link.was)));
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}

function isList(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isOptional(value: unknown, is: (value: unknown) => boolean): boolean {
  return value === undefined || is(value);
}

/** A name in `backups/`, not a path that leads out of it. */
function isBackup(value: unknown): boolean {
  return isString(value) && !/[/\\]/.test(value) && value !== "." && value !== "..";
}

function isPath(value: unknown): boolean {
  return isList(value, isString);
}

function isFile(value: unknown): value is FileRecord {
  return isObject(value) && isString(value.path) && typeof value.existed === "boolean" &&
    isList(value.after, isString) &&
    ["edit", "block", "file", "secret", "program", "original"].includes(String(value.kind)) &&
    isOptional(value.before, isString) &&
    isOptional(value.backup, isBackup) &&
    isOptional(value.olderBackups, (names) => isList(names, isBackup)) &&
    isOptional(
      value.format,
      (format) => ["yaml", "json", "jsonc", "json5", "toml"].includes(String(format)),
    ) &&
    isOptional(value.entries, (entries) => isList(entries, isEntry)) &&
    isOptional(value.originals, (entries) => isList(entries, isEntry)) &&
    isOptional(value.made, isMade) &&
    isOptional(value.mode, (mode) => typeof mode === "number") &&
    isOptional(value.shared, (on) => typeof on === "boolean") &&
    isOptional(value.copied, (on) => typeof on === "boolean") &&
    isOptional(value.splices, isSplices);
}

function isEntry(value: unknown): value is EntryRecord {
  return isObject(value) && isPath(value.path) && "value" in value &&
    isOptional(value.text, isString) && isOptional(value.inner, isString) &&
    isOptional(value.replaces, (on) => typeof on === "boolean") &&
    ["entry", "item", "default"].includes(String(value.kind));
}

function isMade(value: unknown): boolean {
  return isObject(value) &&
    [value.containers, value.promoted, value.defaults].every((paths) =>
      isOptional(paths, (list) => isList(list, isPath))
    ) &&
    isOptional(value.replaced, (list) => isList(list, (item) => isObject(item) && isPath(item.path)));
}

/** In order, and not overlapping. */
function isSplices(value: unknown): boolean {
  let last = 0;
  return isList(value, (item) => {
    if (!isObject(item) || !isString(item.text)) return false;
    const { start, end } = item;
    if (typeof start !== "number" || typeof end !== "number") return false;
    const valid = Number.isInteger(start) && Number.isInteger(end) && start >= last && end >= start;
    last = end;
    return valid;
  });
}
