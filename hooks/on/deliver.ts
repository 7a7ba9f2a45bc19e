import { acknowledged } from "../spool/acknowledged.ts";
import { startDrain } from "../spool/detach.ts";
import { Draft, finishInTime } from "../spool/draft.ts";
import type { Unfinished } from "../spool/unfinished.ts";
import { failed, type Outcome, type Run } from "../run.ts";
import { Spool, type SpoolEntry, type SpoolKind } from "../spool/spool.ts";
import { unconfirmed } from "../spool/verdict.ts";
import { HOOK_PATHS } from "../daemon/wire.ts";

/** Of the time that is left: reading. The rest is for a disk or a daemon that is slow. */
const READ_SHARE = 0.5;

/**
 * Writes an event to the spool and starts a detached drain that sends it: Claude
 * Code gives SessionEnd 1.5 s, Codex 3 s. The event is on disk before anything is
 * read that others wrote, so that whatever happens then, it arrives. Undefined if
 * it turns out that there is nothing to record.
 */
export async function deliver(
  run: Run,
  kind: SpoolKind & keyof typeof HOOK_PATHS,
  body: object,
  unfinished: Unfinished,
): Promise<Outcome | undefined> {
  const { profile, dir } = run;
  const entry = newEntry(run, kind, body);
  let draft: Draft | undefined;
  let problem = "there is no home directory";
  try {
    if (dir !== undefined) draft = Draft.begin(new Spool(dir), entry, unfinished);
  } catch (error) {
    problem = reasonOf(error);
  }
  const finished = await finishInTime(entry, unfinished, run.deadline.left() * READ_SHARE);
  if (finished === "empty") {
    draft?.discard();
    return undefined;
  }
  if (dir !== undefined && draft !== undefined) {
    try {
      const added = finished === undefined ? draft.leave() : draft.finish(finished);
      startDrain(profile.id, dir);
      return {
        outcome: "spooled",
        spoolFile: added?.name,
        detail: added === undefined ? LATE : droppedDetail(added.dropped),
      };
    } catch (error) {
      problem = reasonOf(error);
    }
  }
  const outcome = await sendNow(run, finished ?? entry, problem);
  // What does not fit on the disk was sent; otherwise the draft is better than nothing.
  if (outcome.outcome === "sent") draft?.discard();
  return outcome;
}

const LATE = "there was no time to read the conversation; a drain does it";

function droppedDetail(dropped: number): string | undefined {
  return dropped > 0 ? `the spool was full: ${dropped} dropped` : undefined;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function newEntry(run: Run, kind: SpoolKind & keyof typeof HOOK_PATHS, body: object): SpoolEntry {
  const { settings, profile, client, event } = run;
  const usable = settings.problem === undefined;
  return {
    id: crypto.randomUUID(),
    kind,
    path: HOOK_PATHS[kind],
    url: usable ? settings.url : "",
    harness: profile.id,
    agentId: usable || settings.sources.agentId !== "default" ? settings.agentId : "",
    keyFrom: usable ? settings.keyFrom : undefined,
    runtimePath: profile.runtimePath,
    sessionKey: event.sessionKey,
    body: client.envelope(body),
  };
}

/** It cannot be written to disk, so this request is the only chance to deliver it. */
async function sendNow(run: Run, entry: SpoolEntry, problem: string): Promise<Outcome> {
  const { settings } = run;
  const reply = await run.request((client, options) =>
    client.request<unknown>("POST", entry.path, entry.body, { ...options, idempotencyKey: entry.id })
  );
  const detail = `not spooled: ${problem}`;
  if (reply.kind !== "ok") return { ...failed(reply, settings.url), detail };
  if (!acknowledged(entry.kind, reply.body)) return { ...failed(unconfirmed(reply), settings.url), detail };
  return { outcome: "sent", status: reply.status, daemonMs: reply.ms, detail };
}
