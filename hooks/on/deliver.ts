import { startDrain } from "../spool/detach.ts";
import { Draft, finishInTime } from "../spool/draft.ts";
import type { Unfinished } from "../spool/unfinished.ts";
import { failed, type Outcome, type Run } from "../run.ts";
import { Spool, type SpoolEntry, type SpoolKind } from "../spool/spool.ts";
import { HOOK_PATHS } from "../daemon/wire.ts";

/** Of the time that is left: reading. The rest is for a disk or a daemon that is slow. */
const READ_SHARE = 0.5;

/**
 * Writes an event to the spool and starts a detached drain that sends it: Claude
 * Code gives SessionEnd 1.5 s, Codex 3 s. The event is on disk before anything is
 * read that others wrote, so that whatever happens then, it arrives.
 */
export async function deliver(
  run: Run,
  kind: SpoolKind & keyof typeof HOOK_PATHS,
  body: object,
  unfinished: Unfinished,
): Promise<Outcome> {
  const { profile, dir } = run;
  const entry = newEntry(run, kind, body);
  const readMs = run.deadline.left() * READ_SHARE;
  if (dir === undefined) {
    return await sendNow(
      run,
      await finishInTime(entry, unfinished, readMs) ?? entry,
      "there is no home directory",
    );
  }
  let draft: Draft | undefined;
  let finished: SpoolEntry | undefined;
  try {
    draft = Draft.begin(new Spool(dir), entry, unfinished);
    finished = await finishInTime(entry, unfinished, readMs);
    if (finished === undefined) {
      draft.leave();
      startDrain(profile.id, dir);
      return { outcome: "spooled", detail: "a drain reads the conversation: there was no time" };
    }
    const { dropped } = draft.finish(finished);
    startDrain(profile.id, dir);
    return {
      outcome: "spooled",
      detail: dropped > 0 ? `the spool was full: ${dropped} dropped` : undefined,
    };
  } catch (error) {
    finished ??= await finishInTime(entry, unfinished, readMs);
    const outcome = await sendNow(
      run,
      finished ?? entry,
      error instanceof Error ? error.message : String(error),
    );
    // What did not fit on the disk is sent; otherwise the draft is better than nothing.
    if (outcome.outcome === "sent") draft?.discard();
    return outcome;
  }
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
    runtimePath: profile.runtimePath,
    sessionKey: event.sessionKey,
    body: client.envelope(body),
  };
}

/** It cannot be written to disk, so this request is the only chance to deliver it. */
async function sendNow(run: Run, entry: SpoolEntry, problem: string): Promise<Outcome> {
  const { settings } = run;
  const reply = await run.request((client, options) =>
    client.request("POST", entry.path, entry.body, { ...options, idempotencyKey: entry.id })
  );
  const detail = `not spooled: ${problem}`;
  if (reply.kind !== "ok") return { ...failed(reply, settings.url), detail };
  return { outcome: "sent", status: reply.status, daemonMs: reply.ms, detail };
}
