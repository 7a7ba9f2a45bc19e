import { DatabaseSync } from "node:sqlite";
import { UserError } from "../cli/command.ts";

/** Another command may hold the database for a while. */
const BUSY_MS = 10_000;

export interface Schema {
  /** Raised when the tables change. */
  readonly version: number;
  /** The statements that create the tables. */
  readonly tables: string;
  /** What is set at every opening. */
  readonly pragmas: string;
}

/** Opens a database, and creates it if need be. Its directory is private to the user. */
export function openSqliteFile(path: string, { version, tables, pragmas }: Schema): DatabaseSync {
  // SQLite gives a new file the permissions of the umask, and its other files those of the database.
  Deno.openSync(path, { read: true, write: true, create: true, mode: 0o600 }).close();
  const database = new DatabaseSync(path);
  try {
    database.exec(`pragma busy_timeout = ${BUSY_MS}; ${pragmas}`);
    transaction(database, () => {
      const current = Number(database.prepare("pragma user_version").get()?.user_version ?? 0);
      if (current > version) throw new UserError(`${path} was written by a newer signet-connect.`);
      if (current === version) return;
      database.exec(tables);
      database.exec(`pragma user_version = ${version}`);
    });
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Runs `work` in a transaction that excludes other processes. */
export function transaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec("begin immediate");
  try {
    const result = work();
    database.exec("commit");
    return result;
  } catch (error) {
    try {
      database.exec("rollback");
    } catch {
      // SQLite has rolled back already, as it does when the disk is full.
    }
    throw error;
  }
}
