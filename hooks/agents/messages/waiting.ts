import { exists } from "../../state/exists.ts";
import { sessionName } from "../dir.ts";

/**
 * Whether a session may have a message to show: two directory listings, and all
 * that most hooks need of an inbox.
 */
export function hasWaiting(dir: string, harness: string, key: string): boolean {
  const inbox = `${dir}/inbox/${sessionName(harness, key)}`;
  return exists(inbox) && (hasFiles(`${inbox}/new`) || hasFiles(`${inbox}/taken`));
}

/** The same, also if all were put aside: by now the policy may allow them. */
export function hasMessages(dir: string, harness: string, key: string): boolean {
  const inbox = `${dir}/inbox/${sessionName(harness, key)}`;
  return exists(inbox) && ["new", "taken", "held"].some((folder) => hasFiles(`${inbox}/${folder}`));
}

/** Whether there is anything in a directory. */
export function hasFiles(dir: string): boolean {
  if (!exists(dir)) return false;
  try {
    for (const _ of Deno.readDirSync(dir)) return true;
  } catch {
    // It cannot be read, or was just removed.
  }
  return false;
}
