import { sessionName } from "../dir.ts";

/**
 * Whether a session may have a message to show: two directory listings, and all
 * that most hooks need of an inbox.
 */
export function hasWaiting(dir: string, harness: string, key: string): boolean {
  const inbox = `${dir}/inbox/${sessionName(harness, key)}`;
  return hasFiles(`${inbox}/new`) || hasFiles(`${inbox}/taken`);
}

/** Whether messages were put aside for a session: by now the policy may allow them. */
export function hasHeld(dir: string, harness: string, key: string): boolean {
  return hasFiles(`${dir}/inbox/${sessionName(harness, key)}/held`);
}

function hasFiles(dir: string): boolean {
  try {
    for (const _ of Deno.readDirSync(dir)) return true;
  } catch {
    // No directory: nobody has written to this session.
  }
  return false;
}
