import type { DatabaseSync } from "node:sqlite";
import { agentLogPath } from "../../../hooks/agents/log_line.ts";
import { openMesh } from "../agents/mesh.ts";
import type { Context } from "../cli/command.ts";
import { databaseError, historyPath, openDatabase, openReadOnly } from "./database.ts";
import { takeUp } from "./take_up.ts";

/** Runs `work` on the history of this machine, up to date; undefined if nothing has happened yet. */
export function withHistory<T>(
  context: Pick<Context, "host" | "ui">,
  work: (database: DatabaseSync, dir: string) => T,
): T | undefined {
  const { dir } = openMesh(context.host);
  return withHistoryIn(dir, (problem) => context.ui.warn(problem), (database) => work(database, dir));
}

/** The same for the directory of a mesh; `warn` gets a sentence if the newest messages are missing. */
export function withHistoryIn<T>(
  dir: string,
  warn: (problem: string) => void,
  work: (database: DatabaseSync) => T,
): T | undefined {
  if (!isFile(historyPath(dir)) && !isFile(agentLogPath(dir))) return undefined;
  const database = openUpToDate(dir, warn);
  try {
    return work(database);
  } catch (error) {
    throw databaseError(error, dir);
  } finally {
    database.close();
  }
}

/** Where nothing can be written, the history is what was taken up before. */
function openUpToDate(dir: string, warn: (problem: string) => void): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = openDatabase(dir);
    takeUp(database, dir);
    return database;
  } catch (error) {
    database?.close();
    const problem = databaseError(error, dir);
    const older = isUnwritable(problem) ? openOlder(dir) : undefined;
    if (older === undefined) throw problem;
    warn(`${problem.message} The newest messages are missing here.`);
    return older;
  }
}

function openOlder(dir: string): DatabaseSync | undefined {
  try {
    const database = openReadOnly(dir);
    database.prepare("select 1 from messages limit 1").get();
    return database;
  } catch {
    return undefined;
  }
}

function isUnwritable({ message }: Error): boolean {
  return message.includes("could not be written");
}

function isFile(path: string): boolean {
  try {
    return Deno.lstatSync(path).isFile;
  } catch {
    return false;
  }
}
