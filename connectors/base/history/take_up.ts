import type { DatabaseSync } from "node:sqlite";
import { agentLogPath, MAX_AGENT_LOG, oldLogPath } from "../../../hooks/agents/log_line.ts";
import { handleOf } from "../../../hooks/agents/sessions/handle.ts";
import type { Message } from "../../../hooks/agents/messages/message.ts";
import { number } from "./database.ts";
import { transaction } from "./sqlite_file.ts";
import { type LogRecord, parseLogLine } from "../agents/log_record.ts";
import { readLines } from "../agents/read_lines.ts";

/** So much before a position tells whether a file was replaced or cut and has grown again. */
const TAIL = 64;
/** A hook that opened the log before it was renamed has written its line long before this. */
const LAST_WRITE_MS = 10_000;

/**
 * Brings the new lines of the log into the database, each of them once: the rows and
 * the position are one transaction. A line that is read again changes nothing, so a
 * log that was replaced or cut is read from its beginning. A large log is put aside,
 * and removed by a later call.
 */
export function takeUp(
  database: DatabaseSync,
  dir: string,
  now: number = Date.now(),
  maxLog: number = MAX_AGENT_LOG,
): void {
  const size = transaction(database, () => {
    const sources: Source[] = [];
    for (const path of [oldLogPath(dir), agentLogPath(dir)]) {
      using file = open(path);
      if (file === undefined) continue;
      const position = readInto(database, file, knownPosition(database, file));
      sources.push({ path, ino: inodeOf(file), position, tail: tailOf(file, position) });
    }
    remember(database, sources);
    return sources.find(({ path }) => path === agentLogPath(dir))?.position ?? 0;
  });
  removeOldLog(database, dir, now);
  if (size >= maxLog) putLogAside(database, dir, now);
}

/** How far a file has been read; 0 if it is not the file that it was. */
function knownPosition(database: DatabaseSync, file: Deno.FsFile): number {
  return database.prepare("select position, tail from sources where ino = ?").all(inodeOf(file))
    .map(({ position, tail }) => ({ position: number(position), tail }))
    .find(({ position, tail }) => isSame(tailOf(file, position), tail))?.position ?? 0;
}

function inodeOf(file: Deno.FsFile): string {
  return String(file.statSync().ino ?? "");
}

/** Reads the lines of a file from a position on; returns the position after them. */
function readInto(database: DatabaseSync, file: Deno.FsFile, from: number): number {
  const insert = inserter(database);
  let position = from;
  let unreadable = 0;
  for (const { text, end } of readLines(file, from)) {
    position = end;
    const records = text === undefined ? undefined : parseLogLine(text);
    if (records === undefined && text !== "") unreadable++;
    records?.forEach(insert);
  }
  if (unreadable > 0) addFact(database, "unreadable", unreadable);
  return position;
}

interface Source {
  readonly path: string;
  readonly ino: string;
  readonly position: number;
  readonly tail: Uint8Array;
}

function remember(database: DatabaseSync, sources: readonly Source[]): void {
  database.exec("delete from sources");
  const insert = database.prepare("insert into sources (ino, position, tail) values (?, ?, ?)");
  for (const { ino, position, tail } of sources) insert.run(ino, position, tail);
}

/**
 * Renames the log, whose lines are in the database. A hook that has it open writes its
 * line to the renamed file, and a later call reads that and removes the file.
 */
export function putLogAside(database: DatabaseSync, dir: string, now: number = Date.now()): void {
  transaction(database, () => {
    if (exists(oldLogPath(dir))) {
      // It is there without a date if a crash came between the two.
      if (fact(database, "rotated") === undefined) setFact(database, "rotated", now);
      return;
    }
    try {
      Deno.renameSync(agentLogPath(dir), oldLogPath(dir));
    } catch {
      // There is none, or the disk is read-only: it stays as it is.
      return;
    }
    setFact(database, "rotated", now);
  });
}

/**
 * Removes a log that was put aside a while ago. What is written before it is gone is
 * read here, and who writes later notices it (log_line.ts).
 */
function removeOldLog(database: DatabaseSync, dir: string, now: number): void {
  const isDue = () => {
    const rotated = fact(database, "rotated");
    return rotated !== undefined && Math.abs(now - rotated) >= LAST_WRITE_MS;
  };
  if (!isDue()) return;
  transaction(database, () => {
    // Another process may have done it meanwhile.
    if (!isDue()) return;
    using file = open(oldLogPath(dir));
    if (file !== undefined) {
      const position = knownPosition(database, file);
      try {
        Deno.removeSync(oldLogPath(dir));
      } catch {
        return;
      }
      readInto(database, file, position);
      // The next log may get the same inode.
      database.prepare("delete from sources where ino = ?").run(inodeOf(file));
    }
    database.prepare("delete from facts where name = 'rotated'").run();
  });
}

export function fact(database: DatabaseSync, name: string): number | undefined {
  const value = database.prepare("select value from facts where name = ?").get(name)?.value;
  return typeof value === "number" ? value : undefined;
}

export function setFact(database: DatabaseSync, name: string, value: number): void {
  database.prepare("insert or replace into facts (name, value) values (?, ?)").run(name, value);
}

function addFact(database: DatabaseSync, name: string, value: number): void {
  setFact(database, name, (fact(database, name) ?? 0) + value);
}

/** Stores records that `clean` has not removed before. */
export function inserter(database: DatabaseSync): (record: LogRecord) => void {
  const notBefore = fact(database, "not_before") ?? 0;
  const message = database.prepare(
    `insert or ignore into messages (
      id, at, logged, kind, priority, wants, verified, from_agent, from_session, from_harness, from_handle,
      machine, project, to_agent, to_session, thread, reply_to, text
    ) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const event = database.prepare(
    "insert or ignore into events (id, at, event, session, harness, handle) values (?, ?, ?, ?, ?, ?)",
  );
  return (record) => {
    if (record.at < notBefore) return;
    const { id, at, session, harness } = record;
    if (record.message !== undefined) message.run(...columns(record.message, at));
    event.run(id, at, plain(record.event), plain(session), plain(harness), handle(harness, session));
  };
}

function columns(message: Message, logged: number): (string | number | null)[] {
  const { id, at, kind, priority, wants, verified, from, to, thread, replyTo, text } = message;
  const values = [from.machine, from.cwd, to.agentId, to.session, thread, replyTo];
  return [
    id,
    at,
    logged,
    kind,
    priority,
    wants,
    verified ? 1 : 0,
    plain(from.agentId),
    from.session === undefined ? null : plain(from.session),
    from.harness === undefined ? null : plain(from.harness),
    handle(from.harness ?? "person", from.session ?? ""),
    ...values.map((value) => value === undefined ? null : plain(value)),
    plain(text),
  ];
}

/** With more digits than people see, so that longer handles are found too. */
function handle(harness: string, session: string): string {
  return harness === "person" ? harness : plain(handleOf({ harness, key: session }, 12));
}

/** SQLite stores text up to a NUL, and no lone surrogates. */
function plain(value: string): string {
  return value.toWellFormed().replaceAll("\0", "");
}

function exists(path: string): boolean {
  try {
    return Deno.lstatSync(path) !== undefined;
  } catch (error) {
    return !(error instanceof Deno.errors.NotFound);
  }
}

function open(path: string): Deno.FsFile | undefined {
  try {
    if (!Deno.lstatSync(path).isFile) return undefined;
    return Deno.openSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function tailOf(file: Deno.FsFile, position: number): Uint8Array {
  const start = Math.max(0, position - TAIL);
  const bytes = new Uint8Array(position - start);
  file.seekSync(start, Deno.SeekMode.Start);
  let filled = 0;
  while (filled < bytes.length) {
    const size = file.readSync(bytes.subarray(filled));
    if (size === null) break;
    filled += size;
  }
  return bytes.subarray(0, filled);
}

function isSame(a: Uint8Array, b: unknown): boolean {
  return b instanceof Uint8Array && a.length === b.length && a.every((byte, i) => byte === b[i]);
}
