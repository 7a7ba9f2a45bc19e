import "./common.ts";
import { fit } from "../context_text/inject.ts";
import { isRehearsal } from "../log.ts";
import type { Outcome, Run } from "../run.ts";
import { remove } from "../state/state_file.ts";
import type { ConfigFile } from "./config/config_files.ts";
import { limitsOf } from "./config/repository_limits.ts";
import { hasRepositoryDir } from "./config/repository_dir.ts";
import { makeAgentsDir, openAgentsDir } from "./dir.ts";
import { hasLocks, mayHoldLocks } from "./locks/has_locks.ts";
import { appendAgentLog } from "./log_line.ts";
import type { Message } from "./messages/message.ts";
import { MessageRequest, NOTHING } from "./messages/message_request.ts";
import { isReceiving } from "./messages/receiving.ts";
import { hasMessages } from "./messages/waiting.ts";
import { type AgentSession, AgentSessions } from "./sessions/session.ts";
import { Subagents } from "./sessions/subagents.ts";
import { TurnEnds, waiterPath } from "./sessions/turn_ends.ts";
import type { MeshText } from "./turn_text.ts";
import { DOORBELL } from "./wake/doorbell.ts";

/**
 * Adds the mesh's part to a hook: messages are fetched from the daemon while the
 * hook makes its own request, and what waits is shown. Nothing here needs the daemon.
 */
export async function withMesh(
  run: Run,
  working: Promise<Outcome>,
  request?: MessageRequest,
): Promise<Outcome> {
  const { event: { event, sessionKey: key }, profile } = run;
  // Copilot CLI fires its prompt hook for a sub-agent, too.
  const isSubagent = profile.agents?.subagentsHaveSessions && run.event.parentSessionKey !== undefined;
  const takesPart = profile.agents !== undefined && key !== undefined && !isSubagent &&
    !isRehearsal({ session: key });
  if (!takesPart) return await working;
  if (event === "session-end") {
    const outcome = await working;
    await meshEnd(run, key);
    return outcome;
  }
  if (event !== "session-start" && event !== "user-prompt-submit") return await working;
  // Qwen Code fires its prompt hook again after a tool result, without a prompt: the turn goes on.
  if (event === "user-prompt-submit" && !run.event.prompt?.trim()) return await working;
  const dir = openAgentsDir();
  if (dir === undefined || !isBrought(run, dir)) request ??= new MessageRequest(run);
  // Sooner the rest would delay the hook's own request. Without one, the hook is done at once.
  await Promise.race([run.sent, working]);
  const earlier = dir === undefined ? undefined : new AgentSessions(dir).get({ harness: profile.id, key });
  if (earlier === undefined) request ??= new MessageRequest(run);
  if (dir !== undefined && earlier?.wake === "queue" && run.event.prompt?.trim() === DOORBELL) {
    const outcome = await working;
    if (!outcome.print && isLate(dir, earlier)) {
      return {
        ...outcome,
        outcome: "late doorbell",
        refuse: "Signet: the message was read in the meantime.",
      };
    }
  }
  const noting = noteTurn(run, key, dir, earlier);
  noting.catch(() => {}); // it is awaited below
  const outcome = await working;
  const listed = await request?.listed() ?? NOTHING;
  try {
    const messages = listed.items.length === 0 ? [] : (await import("./on_demand.ts")).messagesFor(
      { harness: profile.id, key },
      run.client.agentId,
      listed,
    );
    const turn = await noting;
    if (!mayHaveText(run, turn, messages)) return outcome;
    const mesh = await (await import("./on_demand.ts")).turnText(run, turn, messages);
    return mesh === undefined ? outcome : joined(outcome, mesh, profile.maxInject);
  } catch (error) {
    // A full disk: the hook works without the mesh.
    return {
      ...outcome,
      detail: outcome.detail ?? `agents: ${error instanceof Error ? error.message : error}`,
    };
  }
}

/**
 * Whether the message of a doorbell was shown in the meantime: the model would be asked
 * for nothing. The session is noted as idle before its inbox is read, as at the end of a turn.
 */
function isLate(dir: string, session: AgentSession): boolean {
  if (session.status !== "idle") new AgentSessions(dir).update(session, { status: "idle" });
  return !hasMessages(dir, session.harness, session.key);
}

/** Whether an MCP server brings the messages by itself. A session that begins may have missed some. */
function isBrought({ event, client, settings }: Run, dir: string): boolean {
  return event.event !== "session-start" && isReceiving(dir, client.url, settings.agentId);
}

/** Messages are never cut: the memories make room for them. */
function joined(outcome: Outcome, { before, after, confirm }: MeshText, max: number): Outcome {
  const rest = fit(outcome.print ?? "", Math.max(0, max - before.length - after.length - 4));
  const print = [before, rest, after].filter((text) => text !== "").join("\n\n");
  return { ...outcome, print, confirm };
}

/** A turn that begins, as it was written down. */
export interface Turn {
  readonly dir: string;
  readonly sessions: AgentSessions;
  readonly session: AgentSession;
  readonly repository: readonly ConfigFile[];
  /** The session was not known before, or has just begun. */
  readonly isNew: boolean;
  /** The model has not seen its name yet. */
  readonly isFirst: boolean;
  /** This harness loses what a session-start prints, or has its first prompt at the same moment. */
  readonly isAtPrompt: boolean;
}

/** Writes down that a session begins or works. */
async function noteTurn(
  run: Run,
  key: string,
  existing: string | undefined,
  earlier: AgentSession | undefined,
): Promise<Turn> {
  const { event, profile } = run;
  const dir = existing ?? makeAgentsDir();
  const sessions = new AgentSessions(dir);
  const id = { harness: profile.id, key };
  const isStart = event.event === "session-start";
  const isNew = isStart || earlier === undefined;
  const root = (isStart ? undefined : earlier?.root) ??
    (await import("./on_demand.ts")).repositoryRoot(event.cwd);
  const isAtPrompt = profile.injectAt === "first-prompt" || profile.startsWithPrompt === true;
  const repository = hasRepositoryDir(root)
    ? await (await import("./on_demand.ts")).readRepositoryConfig(root)
    : [];
  const begun = isNew ? (await import("./on_demand.ts")).beginSession(sessions, run, key, root) : earlier;
  const isFirst = isStart || begun.status === "starting" && (earlier === undefined || isAtPrompt);
  const limited = sessions.limit(begun, limitsOf(repository));
  const turn = { dir, sessions, repository, isNew, isFirst, isAtPrompt };
  if (isStart) return { ...turn, session: limited };
  const session = sessions.update(id, { status: "working" }, limited) ?? limited;
  new TurnEnds(dir, id).reset();
  if (profile.agents?.events["subagent-start"] !== undefined) new Subagents(dir, id).clear();
  return { ...turn, session };
}

/** Whether there may be something to do or to show: most prompts find nothing, and load no code for it. */
function mayHaveText({ event }: Run, turn: Turn, messages: readonly Message[]): boolean {
  const { dir, session: { harness, key }, isNew, isFirst } = turn;
  return isNew || isFirst || messages.length > 0 || event.prompt?.startsWith("@") === true ||
    hasMessages(dir, harness, key) || mayHoldLocks(dir, harness, key);
}

/** The session is over: nobody can write to it any more. */
async function meshEnd({ profile }: Run, key: string): Promise<void> {
  const dir = openAgentsDir();
  if (dir === undefined) return;
  const id = { harness: profile.id, key };
  const sessions = new AgentSessions(dir);
  const session = sessions.get(id);
  if (session === undefined) return;
  if (hasLocks(dir)) await (await import("./locks/session_locks.ts")).freeLocks(dir, session, "session");
  sessions.end(id);
  remove(waiterPath(dir, id));
  appendAgentLog(dir, { event: "ended", session: key, harness: profile.id });
}
