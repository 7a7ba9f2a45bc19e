import { HOST } from "../../state/paths.ts";
import { ensureDir, readState, remove, unique, writeNote } from "../../state/state_file.ts";
import { Inbox } from "../messages/inbox.ts";
import { offer } from "../messages/offer.ts";
import type { AgentProfile } from "../profile.ts";
import type { AgentSession, AgentSessions } from "../sessions/session.ts";
import { waiterPath } from "../sessions/turn_ends.ts";
import { noteWoken } from "./woken.ts";

/** How often to look whether the harness is gone, and for what a file system without notices does not tell. */
const LOOK_MS = 5_000;

/**
 * Waits beside an idle session and ends with exit code 2 and the text on stderr
 * once there is a message, which wakes the model (Claude Code's `asyncRewake`).
 * Leaves in silence when the session ends, or another waiter takes over.
 */
export async function waitForMessages(
  dir: string,
  sessions: AgentSessions,
  session: AgentSession,
  agents: AgentProfile,
): Promise<void> {
  // In `claude -p` this hook runs synchronously, and the run would wait for it.
  if (agents.wake(HOST.env) !== "hook") return;
  const path = waiterPath(dir, session);
  const inbox = new Inbox(dir).dirOf(session);
  const me = unique();
  const parent = Deno.ppid;
  ensureDir(`${inbox}/new`);
  // Watched before it registers and looks: nothing that comes later can be missed.
  const changes = watch(inbox);
  writeNote(path, me);
  for (;;) {
    if (readState(path, 100) !== me) return;
    const now = sessions.get(session);
    // Without its harness nobody would read what it says.
    if (now === undefined || now.gone || Deno.ppid !== parent) return remove(path);
    // While it works, the other hooks deliver.
    const due = now.status === "idle" ? offer(dir, now, "idle") : undefined;
    if (due !== undefined) {
      sessions.update(session, { status: "working" });
      if (due.urgent) noteWoken(dir, sessions, session);
      remove(path);
      await writeError(due.text);
      due.confirm();
      Deno.exit(2);
    }
    await changes();
  }
}

/** Resolves at the next change below a directory, and at the latest after a while. */
function watch(inbox: string): () => Promise<void> {
  let events: AsyncIterator<Deno.FsEvent> | undefined;
  let next: Promise<IteratorResult<Deno.FsEvent>> | undefined;
  try {
    events = Deno.watchFs([inbox, `${inbox}/new`], { recursive: false })[Symbol.asyncIterator]();
  } catch {
    // No more watches on this machine: looking now and then does too.
  }
  return async () => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = new Promise<void>((resolve) => timer = setTimeout(resolve, events ? LOOK_MS : 1_000));
    next ??= events?.next();
    const changed = next?.then(() => {
      next = undefined;
    }, () => {
      next = undefined;
      events = undefined;
    });
    await Promise.race(changed === undefined ? [later] : [changed, later]);
    clearTimeout(timer);
  };
}

async function writeError(text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  for (let written = 0; written < bytes.length;) {
    written += await Deno.stderr.write(bytes.subarray(written));
  }
}
