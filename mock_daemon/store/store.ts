import { DatabaseSync, type StatementSync } from "node:sqlite";
import { randomBytes } from "node:crypto";

const SCHEMA = `
CREATE TABLE IF NOT EXISTS memories (
  id TEXT PRIMARY KEY, content TEXT NOT NULL, type TEXT NOT NULL, tags TEXT,
  pinned INTEGER NOT NULL, importance REAL NOT NULL, who TEXT, project TEXT, scope TEXT,
  agent_id TEXT NOT NULL, visibility TEXT NOT NULL, source_type TEXT, source_id TEXT,
  idempotency_key TEXT, version INTEGER NOT NULL DEFAULT 1,
  created_at TEXT NOT NULL, updated_at TEXT NOT NULL, deleted_at TEXT);
CREATE UNIQUE INDEX IF NOT EXISTS memories_once ON memories (agent_id, idempotency_key);
CREATE INDEX IF NOT EXISTS memories_content ON memories (agent_id, content);
CREATE INDEX IF NOT EXISTS memories_order ON memories (pinned, importance, created_at);
CREATE VIRTUAL TABLE IF NOT EXISTS memories_fts USING fts5(id UNINDEXED, content, tags, tokenize = 'porter unicode61');
CREATE TABLE IF NOT EXISTS entities (
  name TEXT NOT NULL, label TEXT NOT NULL, memory_id TEXT NOT NULL, PRIMARY KEY (name, memory_id));
CREATE TABLE IF NOT EXISTS attributes (
  agent_id TEXT NOT NULL, label TEXT NOT NULL, type TEXT NOT NULL, path TEXT NOT NULL, content TEXT NOT NULL,
  memory_id TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS agents (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, read_policy TEXT NOT NULL, policy_group TEXT,
  created_at TEXT NOT NULL, updated_at TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS api_keys (
  id TEXT PRIMARY KEY, prefix TEXT NOT NULL UNIQUE, hash BLOB NOT NULL, spec TEXT NOT NULL,
  created_at TEXT NOT NULL, last_used_at TEXT, revoked_at TEXT);
CREATE TABLE IF NOT EXISTS ended_sessions (
  agent_id TEXT NOT NULL, session_key TEXT NOT NULL, runtime_path TEXT,
  expires_at INTEGER NOT NULL, PRIMARY KEY (agent_id, session_key));
CREATE TABLE IF NOT EXISTS transcripts (
  job_id TEXT PRIMARY KEY, agent_id TEXT NOT NULL, session_key TEXT, harness TEXT NOT NULL, project TEXT,
  content TEXT NOT NULL, created_at TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS answers (
  idempotency_key TEXT PRIMARY KEY, status INTEGER NOT NULL, body TEXT NOT NULL, created_at INTEGER NOT NULL);
`;

export interface Store {
  /** Returns the prepared statement for `text`, prepared once. */
  sql(text: string): StatementSync;
  /** The HMAC key for hashing API keys. */
  readonly pepper: Uint8Array;
  /** Runs `work` in a transaction. */
  atomically<T>(work: () => T): T;
  close(): void;
}

/**
 * The pepper is stored beside the database, not in it, so that a copy of the
 * database alone is not enough to test keys against the hashes.
 */
function pepperFor(file: string): Uint8Array {
  const path = `${file}.secret`;
  const fresh = randomBytes(32);
  return createPrivate(path, fresh) ? fresh : Deno.readFileSync(path);
}

/** Creates a file with mode 0600; returns false if it already exists. */
function createPrivate(path: string, bytes: Uint8Array): boolean {
  try {
    Deno.writeFileSync(path, bytes, { createNew: true, mode: 0o600 });
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return false;
    throw error;
  }
}

function openFile(file: string): DatabaseSync {
  try {
    // SQLite treats an empty file as a new database, and gives its journals the same mode.
    createPrivate(file, new Uint8Array());
    const db = new DatabaseSync(file);
    db.exec("SELECT count(*) FROM sqlite_master");
    return db;
  } catch (cause) {
    throw new Error(`${file} cannot be used as a database: ${reason(cause)}. Choose another file for --db.`, {
      cause,
    });
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function openStore(file?: string): Store {
  const db = file === undefined ? new DatabaseSync(":memory:") : openFile(file);
  const pepper = file === undefined ? new Uint8Array(randomBytes(32)) : pepperFor(file);
  // A commit has reached the kernel when it returns, so SIGKILL loses nothing.
  // A power cut could; that is acceptable for a mock.
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 2000;");
  db.exec(SCHEMA);
  let depth = 0;
  // Only the garbage collector frees statements, and it does not see their size:
  // preparing them per request took 250 MB in one minute of load.
  const statements = new Map<string, StatementSync>();
  return {
    pepper,
    sql(text) {
      const cached = statements.get(text);
      if (cached !== undefined) return cached;
      const statement = db.prepare(text);
      statements.set(text, statement);
      return statement;
    },
    atomically(work) {
      if (depth > 0) return work();
      depth++;
      db.exec("BEGIN IMMEDIATE");
      try {
        const result = work();
        db.exec("COMMIT");
        return result;
      } catch (error) {
        db.exec("ROLLBACK");
        throw error;
      } finally {
        depth--;
      }
    },
    close: () => db.close(),
  };
}
