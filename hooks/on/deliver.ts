import { acknowledged } from "../spool/acknowledged.ts";
import { startDrain } from "../spool/detach.ts";
import { failed, type Outcome, type Run } from "../run.ts";
import { Spool, type SpoolKind } from "../spool/spool.ts";
import { unconfirmed } from "../spool/verdict.ts";
import { HOOK_PATHS } from "../daemon/wire.ts";

/**
 * Writes an event to the spool and starts a detached drain that sends it: Claude
 * Code gives SessionEnd 1.5 s, Codex 3 s.
 */
export async function deliver(
  run: Run,
  kind: SpoolKind & keyof typeof HOOK_PATHS,
  body: object,
): Promise<Outcome> {
  const { settings, profile, client, dir, event } = run;
  const usable = settings.problem === undefined;
  const entry = {
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
  let problem = "there is no home directory";
  if (dir !== undefined) {
    try {
      const { name, dropped } = new Spool(dir).add(entry);
      startDrain(profile.id, dir);
      return {
        outcome: "spooled",
        spoolFile: name,
        detail: dropped > 0 ? `the spool was full: ${dropped} dropped` : undefined,
      };
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
  }
  // It cannot be written to disk, so this request is the only chance to deliver it.
  const reply = await run.request((client, options) =>
    client.request<unknown>("POST", entry.path, entry.body, { ...options, idempotencyKey: entry.id })
  );
  const detail = `not spooled: ${problem}`;
  if (reply.kind !== "ok") return { ...failed(reply, settings.url), detail };
  if (!acknowledged(kind, reply.body)) return { ...failed(unconfirmed(reply), settings.url), detail };
  return { outcome: "sent", status: reply.status, daemonMs: reply.ms, detail };
}
