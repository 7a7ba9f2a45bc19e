import type { DaemonClient, Reply } from "../daemon/client.ts";
import { isLoopback } from "../daemon/origin.ts";
import { isObject } from "../json.ts";
import { remove, writeNote } from "../state/state_file.ts";
import type { SpoolEntry } from "./spool.ts";

/** The daemon may need long for a transcript, and nobody waits for a drain. */
const REQUEST_MS = 30_000;
/** Daemons do not summarise a shorter conversation. */
const MIN_CHARS = 500;

/**
 * Sends a spooled event. Signet 0.58 ignores the conversation in the request and
 * reads only a file that it can open, so if it shows that it read none, the same
 * event is sent again with the path of such a file. Only a daemon on this machine
 * can open it. The caller holds the drain lock, so one file serves all drains.
 */
export async function sendEntry(
  client: DaemonClient,
  entry: SpoolEntry,
  stateDir: string,
): Promise<Reply<unknown>> {
  const send = (body: Record<string, unknown>) =>
    client.request<unknown>("POST", entry.path, body, { timeoutMs: REQUEST_MS, idempotencyKey: entry.id });
  const reply = await send(entry.body);
  const { transcript } = entry.body;
  if (
    entry.kind !== "session-end" || typeof transcript !== "string" || transcript.length < MIN_CHARS ||
    !readNoTranscript(reply) || !isLoopback(new URL(client.url).hostname)
  ) return reply;
  const path = `${stateDir}/transcript.sent`;
  try {
    writeNote(path, transcript);
    return await send({ ...entry.body, transcriptPath: path });
  } catch {
    // Without a disk to write to, the first answer counts.
    return reply;
  } finally {
    remove(path);
  }
}

/** Later versions always answer `queued`, or why they skipped the event. */
function readNoTranscript(reply: Reply<unknown>): boolean {
  if (reply.kind !== "ok" || !isObject(reply.body)) return false;
  const { memoriesSaved, queued, skipped, bypassed } = reply.body;
  return memoriesSaved === 0 && queued === undefined && skipped === undefined && bypassed === undefined;
}
