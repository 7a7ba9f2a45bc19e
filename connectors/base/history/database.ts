import { DatabaseSync } from "node:sqlite";
import { EXIT, UserError } from "../cli/command.ts";
import { openSqliteFile } from "./sqlite_file.ts";

/** Raised when the tables change. */
const VERSION = 1;

const TABLES = `
  create table messages (
    n integer primary key,
    id text not null unique,
    at integer not null,
    logged integer not null,
    kind text not null,
    priority integer not null,
    wants text not null,
    verified integer not null,
    from_agent text not null,
    from_session text,
    from_harness text,
    from_handle text not null,
    machine text,
    project text,
    to_agent text,
    to_session text,
    thread text,
    reply_to text,
    text text not null
  ) strict;
  create index messages_logged on messages (logged);
  create index messages_thread on messages (thread) where thread is not null;
  create index messages_reply_to on messages (reply_to) where reply_to is not null;
  create table events (
    id text not null,
    at integer not null,
    event text not null,
    session text not null,
    harness text not null,
    handle text not null,
    primary key (id, event, session, harness, at)
  ) strict, without rowid;
  create table sources (ino text not null, position integer not null, tail blob not null) strict;
  create table facts (name text primary key, value integer not null) strict;
  create virtual table words using fts5 (
    text, content = 'messages', content_rowid = 'n', tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
  );
  create trigger words_insert after insert on messages begin
    insert into words (rowid, text) values (new.n, new.text);
  end;
  create trigger words_delete after delete on messages begin
    insert into words (words, rowid, text) values ('delete', old.n, old.text);
  end;
`;

export function historyPath(dir: string): string {
  return `${dir}/history.sqlite`;
}

/** Opens the database, and creates it if need be. Its directory is private to the user. */
export function openDatabase(dir: string): DatabaseSync {
  return openSqliteFile(historyPath(dir), {
    version: VERSION,
    tables: TABLES,
    // Without --allow-all Deno attaches no database, and `vacuum` would need one. The text of
    // removed messages is overwritten. The first takes effect only in an empty file.
    pragmas: "pragma auto_vacuum = incremental; pragma secure_delete = on;",
  });
}

/** For a disk that cannot be written. */
export function openReadOnly(dir: string): DatabaseSync {
  return new DatabaseSync(historyPath(dir), { readOnly: true });
}

/** Why the database could not be used, in a sentence. */
export function databaseError(error: unknown, dir: string): UserError {
  if (error instanceof UserError) return error;
  const path = historyPath(dir);
  const reason = error instanceof Error ? error.message : String(error);
  if (/database is locked/.test(reason)) {
    return new UserError(`Another command is using ${path}.`, EXIT.failed, "Try again in a moment.");
  }
  if (/disk is full|No space left/i.test(reason)) {
    return new UserError(`The disk is full, so ${path} could not be written.`);
  }
  if (/readonly|read-only|unable to open|permission denied/i.test(reason)) {
    return new UserError(`${path} could not be written: the file or the disk is read-only.`);
  }
  if (/not a database|malformed/.test(reason)) {
    const next = "Remove the file: the next history command builds it again from log.jsonl.";
    return new UserError(`${path} is damaged (${reason}).`, EXIT.failed, next);
  }
  return new UserError(`${path} could not be used: ${reason}.`);
}

export function number(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

export function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
