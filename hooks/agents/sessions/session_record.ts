import { parseObject } from "../../json.ts";
import type { AgentSession } from "./session.ts";

/** What changes while a session works. */
export type Activity = Pick<AgentSession, "status" | "since" | "tool" | "file">;

/** Some fifty changes. A larger file is replaced. */
const MAX_BYTES = 8 * 1024;

/**
 * A session's file: the session as a line of JSON, and a line for each change since.
 * Changes are appended, because replacing a file takes 2 ms on ext4, which then starts
 * to write the new one to the disk; appending takes 0.1 ms.
 */
export function parseRecord(text: string): Record<string, unknown> | undefined {
  const [first = "", ...changes] = text.split("\n");
  const session = parseObject(first);
  if (session === undefined) return undefined;
  // A line that a full disk has cut off does not count.
  for (const line of changes.reverse()) {
    const change = parseObject(line);
    if (change !== undefined) return { ...session, tool: undefined, file: undefined, ...change };
  }
  return session;
}

/** Appends a change. False if the file is to be replaced instead. Throws NotFound if there is none. */
export function appendChange(path: string, change: Activity): boolean {
  using file = Deno.openSync(path, { append: true });
  if (file.statSync().size > MAX_BYTES) return false;
  const line = new TextEncoder().encode(`\n${JSON.stringify(change)}`);
  // One write with O_APPEND: the lines of several hooks do not mix.
  if (file.writeSync(line) < line.length) throw new Error(`${path} cannot be written: the disk is full.`);
  return true;
}
