import type { DatabaseSync } from "node:sqlite";
import { openSqliteFile } from "../../../base/history/sqlite_file.ts";

/** Raised when the tables change. */
const VERSION = 1;

const TABLES = `
  create table clients (
    name text primary key,
    hash text not null unique,
    created integer not null
  ) strict;
  create table tasks (
    id text primary key,
    owner text not null,
    agent text not null,
    context text not null,
    state integer not null,
    changed integer not null,
    expires integer not null,
    client_message text not null,
    body text not null,
    unique (owner, client_message)
  ) strict;
  create index tasks_changed on tasks (owner, changed desc, id desc);
  create index tasks_open on tasks (state) where state in (1, 2, 6, 8);
  create table mesh_messages (
    id text primary key,
    task text not null references tasks (id),
    harness text not null,
    session text
  ) strict, without rowid;
  create index mesh_messages_task on mesh_messages (task);
  create table push_configs (
    task text not null references tasks (id),
    id text not null,
    body text not null,
    primary key (task, id)
  ) strict, without rowid;
  create table webhooks (
    id text primary key,
    url text not null,
    events text not null,
    secret text not null
  ) strict;
  create table deliveries (
    n integer primary key,
    config text not null,
    url text not null,
    headers text not null,
    secret text not null,
    checked integer not null,
    body text not null,
    tries integer not null,
    due integer not null
  ) strict;
  create table positions (file text primary key, ino text not null, position integer not null) strict;
`;

export function gatewayPath(dir: string): string {
  return `${dir}/a2a.sqlite`;
}

/** Opens the gateway's database, and creates it if need be. `dir` is private to the user. */
export function openGatewayDatabase(dir: string): DatabaseSync {
  return openSqliteFile(gatewayPath(dir), {
    version: VERSION,
    tables: TABLES,
    // With a write-ahead log a killed process loses nothing that was committed, without a sync per task.
    pragmas: "pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on;",
  });
}
