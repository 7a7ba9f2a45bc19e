import type { Attempt, Run } from "../run.ts";
import type { SessionStartAnswer } from "../daemon/wire.ts";

/** Sends session-start. `claimOnly` asks for no text; daemon C honours it, others ignore it. */
export async function claimSession(run: Run, claimOnly: boolean): Promise<Attempt<SessionStartAnswer>> {
  const { event } = run;
  const context = await run.context();
  return await run.request((client, options) =>
    client.sessionStart({
      sessionKey: event.sessionKey,
      project: event.cwd || undefined,
      source: event.source,
      harnessAgentId: event.harnessAgentId,
      parentSessionKey: event.parentSessionKey,
      claimOnly: claimOnly || undefined,
      requestContext: context,
    }, options)
  );
}

/**
 * The full session-start answer for a session that the daemon gave it to before:
 * without a session key every version answers in full, however often. The stub
 * if that fails.
 */
export async function fullAnswer(run: Run, stub: SessionStartAnswer): Promise<SessionStartAnswer> {
  const { event } = run;
  const context = await run.context();
  const reply = await run.request((client, options) =>
    client.sessionStart({ project: event.cwd || undefined, requestContext: context }, options)
  );
  return reply.kind === "ok" && reply.body.bypassed !== true ? reply.body : stub;
}
