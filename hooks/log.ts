import { plainText } from "./context_text/plain_text.ts";
import { redact } from "./redact.ts";
import { stateDir } from "./state/paths.ts";
import { ensureDir, isWritableFile } from "./state/state_file.ts";

/** One line of hook.log: what a hook did, never any conversation. */
export interface LogRecord {
  at: string;
  event: string;
  outcome: string;
  /** From the start of the process to the end of its work. */
  ms: number;
  /** How long the daemon took, if it was called. */
  daemonMs?: number;
  status?: number;
  /** Characters printed for the harness. */
  chars?: number;
  session?: string;
  detail?: string;
}

/** Session keys of doctor start with this; the log keeps as many characters of a key. */
export const REHEARSAL = "test-doctor-";

/** Whether doctor ran this hook, and not a harness. */
export function isRehearsal({ session }: Pick<LogRecord, "session">): boolean {
  return session?.startsWith(REHEARSAL) ?? false;
}

/** At about 150 bytes a line this is some 1,700 hooks, twice. */
const MAX_LOG_BYTES = 256 * 1024;

export function logPath(dir: string): string {
  return `${dir}/hook.log`;
}

/** Appends one line; rotates to `hook.log.1`. Never throws. */
export function appendLog(dir: string | undefined, record: LogRecord): void {
  if (dir === undefined) return;
  try {
    write(dir, record);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) return;
    try {
      ensureDir(dir);
      write(dir, record);
    } catch {
      // The disk is read-only or full, or the directory is gone. The hook works without a log.
    }
  }
}

/** Appends a line about the hook that this process runs. */
export function logHook(harness: string, record: Omit<LogRecord, "at" | "ms">): void {
  appendLog(stateDir(harness), {
    at: new Date().toISOString(),
    ms: Math.round(performance.now()),
    ...record,
  });
}

function write(dir: string, record: LogRecord): void {
  const path = logPath(dir);
  if (!isWritableFile(path)) return;
  using file = Deno.openSync(path, { append: true, create: true, mode: 0o600 });
  // One write of one line with O_APPEND: concurrent hooks do not mix their lines.
  file.writeSync(new TextEncoder().encode(formatLine(record)));
  if (file.statSync().size > MAX_LOG_BYTES) Deno.renameSync(path, `${path}.1`);
}

export function formatLine(record: LogRecord): string {
  const { session, detail } = record;
  return JSON.stringify({
    ...record,
    session: session === undefined ? undefined : plainText(session),
    detail: detail === undefined ? undefined : redact(plainText(detail)).slice(0, 300),
  }) + "\n";
}
