import { openDatabase } from "./database.ts";
import { takeUp } from "./take_up.ts";

/**
 * Takes up a large log, for users who never run a history command: hooks only ever add
 * to it. Never throws: it is tried again.
 */
export function boundLog(dir: string, maxLog?: number): void {
  try {
    const database = openDatabase(dir);
    try {
      takeUp(database, dir, Date.now(), maxLog);
    } finally {
      database.close();
    }
  } catch {
    // The disk is full, or another process holds the database.
  }
}
