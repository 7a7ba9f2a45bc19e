import "../common.ts";
import { isRehearsal } from "../log.ts";
import type { Outcome, Run } from "../run.ts";
import { exists } from "../state/exists.ts";
import { readState, remove } from "../state/state_file.ts";
import { hasRepositoryDir } from "./config/repository_dir.ts";
import { sessionName } from "./dir.ts";
import { isTime } from "./is_time.ts";
import { mayHoldLocks } from "./locks/has_locks.ts";
import { appendAgentLog } from "./log_line.ts";
import { MessageRequest, NOTHING } from "./messages/message_request.ts";
import { isReceiving } from "./messages/receiving.ts";
import { hasMessages } from "./messages/waiting.ts";
import { appendChange, parseRecord } from "./sessions/session_record.ts";
import { DOORBELL } from "./wake/doorbell.ts";

/** What every session has that was begun or went on since it knows its repository. */
const TEXTS = ["agentId", "url", "project", "machine", "root"];

/**
 * The mesh's part of a hook. Most prompts find nothing to do but to note that the session
 * works, and load no more code than this.
 */
export async function withMesh(
  run: Run,
  working: Promise<Outcome>,
  dir: string | undefined,
): Promise<Outcome> {
  let request: MessageRequest | undefined;
  if (dir !== undefined && mayBeQuiet(run)) {
    if (!isReceiving(dir, run.client.url, run.settings.agentId)) request = new MessageRequest(run);
    // Sooner it would delay the hook's own request. Without one, the hook is done at once.
    await Promise.race([run.sent, working]);
    if (isNoted(run, dir)) {
      const outcome = await working;
      const { items } = await request?.listed() ?? NOTHING;
      // A message may have come while the daemon answered.
      const isQuiet = items.length === 0 && !hasMessages(dir, run.profile.id, run.event.sessionKey ?? "");
      if (isQuiet) return outcome;
    }
  }
  return await (await import("./turn.ts")).withMesh(run, working, request);
}

/** A prompt of the user in the session's main agent. */
function mayBeQuiet({ event, profile }: Run): boolean {
  const { prompt = "", sessionKey: session, parentSessionKey: parent } = event;
  return event.event === "user-prompt-submit" && prompt.trim() !== "" && !prompt.startsWith("@") &&
    prompt.trim() !== DOORBELL &&
    profile.agents?.events !== undefined && profile.agents.events["subagent-start"] === undefined &&
    parent === undefined && !isRehearsal({ session });
}

/** Notes that a session works, if that is all there is to do; its file is then as `AgentSessions` writes it. */
function isNoted({ event: { sessionKey: key = "" }, profile: { id: harness } }: Run, dir: string): boolean {
  const name = sessionName(harness, key);
  const path = `${dir}/sessions/${name}.json`;
  const session = parseRecord(readState(path, 65_536) ?? "");
  if (session?.key !== key || session.harness !== harness || session.repository !== undefined) return false;
  const isKnown = session.status === "working" || session.status === "idle" || session.status === "waiting";
  if (!isKnown || TEXTS.some((field) => typeof session[field] !== "string")) return false;
  if (hasRepositoryDir(`${session.root}`)) return false;
  if (mayHoldLocks(dir, harness, key) || hasMessages(dir, harness, key)) return false;
  try {
    const now = Date.now();
    const isNew = session.status !== "working";
    if (isNew || session.tool !== undefined || session.file !== undefined) {
      const since = isNew || !isTime(session.since) ? now : session.since;
      if (!appendChange(path, { status: "working", since })) return false;
    }
    Deno.utimeSync(path, now / 1000, now / 1000);
    if (isNew) appendAgentLog(dir, { event: "working", at: now, session: key, harness });
    const ends = `${dir}/inbox/${name}/turn_ends`;
    if (exists(ends)) remove(ends);
    return true;
  } catch {
    // A full disk: the rest of the code says so.
    return false;
  }
}
