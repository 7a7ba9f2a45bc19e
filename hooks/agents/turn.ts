import { fit } from "../context_text/inject.ts";
import { isRehearsal } from "../log.ts";
import type { HookProfile } from "../profile.ts";
import type { Outcome, Run } from "../run.ts";
import { findCaller } from "../state/caller.ts";
import { HOST } from "../state/paths.ts";
import { remove } from "../state/state_file.ts";
import {
  type ConfigFile,
  readRepositoryConfig,
  readUserConfig,
  repositoryRoot,
} from "./config/config_files.ts";
import { limitsOf } from "./config/repository_limits.ts";
import { rulesText } from "./config/rules_text.ts";
import { makeAgentsDir, openAgentsDir } from "./dir.ts";
import { fetchMessages } from "./fetch_messages.ts";
import { handleOf } from "./handle.ts";
import { Inbox } from "./inbox.ts";
import { receiveAnnouncement } from "./locks/announcement.ts";
import { freeLocks, renewLocks } from "./locks/tool_locks.ts";
import { appendAgentLog } from "./log_line.ts";
import { machineName } from "./machine.ts";
import { adoptWaiting, agentMailbox } from "./mailbox.ts";
import { mention } from "./mention.ts";
import type { Message } from "./message.ts";
import { offer } from "./offer.ts";
import { type AgentSession, AgentSessions } from "./session.ts";
import { Subagents } from "./subagents.ts";
import { findTerminal, ttyOf } from "./terminal.ts";
import { TurnEnds, waiterPath } from "./turn_ends.ts";

/** What the mesh adds to the text of a hook. */
interface MeshText {
  /** Before and after the hook's own text. */
  readonly before: string;
  readonly after: string;
  /** Call it once the text was printed. */
  confirm(): void;
}

/** A session that has just begun is not interested in older messages. */
const FETCH_MS = 3600 * 1000;
/** How much longer than its main request a hook waits for messages from the daemon. */
const GRACE_MS = 20;

/**
 * Adds the mesh's part to a hook: messages are fetched from the daemon while the
 * hook makes its own request, and what waits is shown. Nothing here needs the daemon.
 */
export async function withMesh(run: Run, working: Promise<Outcome>): Promise<Outcome> {
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
  const abort = new AbortController();
  const fetching = startFetch(run, key, abort.signal);
  // While the daemon answers.
  const noting = noteTurn(run, key);
  noting.catch(() => {}); // it is awaited below
  const outcome = await working;
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), GRACE_MS));
  const messages = await Promise.race([fetching, late]);
  abort.abort();
  try {
    const mesh = await meshText(run, await noting, messages ?? []);
    return mesh === undefined ? outcome : joined(outcome, mesh, profile.maxInject);
  } catch (error) {
    // A full disk: the hook works without the mesh.
    return {
      ...outcome,
      detail: outcome.detail ?? `agents: ${error instanceof Error ? error.message : error}`,
    };
  }
}

function startFetch(run: Run, key: string, signal: AbortSignal): Promise<Message[] | undefined> {
  const { profile, settings, client, deadline, breaker } = run;
  const timeoutMs = deadline.left();
  if (settings.problem !== undefined || breaker.skip(timeoutMs)) return Promise.resolve(undefined);
  return fetchMessages(client, { harness: profile.id, key }, Date.now() - FETCH_MS, { timeoutMs, signal });
}

/** Messages are never cut: the memories make room for them. */
function joined(outcome: Outcome, { before, after, confirm }: MeshText, max: number): Outcome {
  const rest = fit(outcome.print ?? "", Math.max(0, max - before.length - after.length - 4));
  const print = [before, rest, after].filter((text) => text !== "").join("\n\n");
  return { ...outcome, print, confirm };
}

/** A turn that begins, as it was written down. */
interface Turn {
  readonly dir: string;
  readonly sessions: AgentSessions;
  readonly session: AgentSession;
  readonly repository: readonly ConfigFile[];
  /** The session was not known before, or has just begun. */
  readonly isNew: boolean;
  /** The model has not seen its name yet. */
  readonly isFirst: boolean;
}

/** Writes down that a session begins or works. */
async function noteTurn(run: Run, key: string): Promise<Turn> {
  const { event, profile } = run;
  const dir = makeAgentsDir();
  const sessions = new AgentSessions(dir);
  const id = { harness: profile.id, key };
  const isStart = event.event === "session-start";
  const earlier = sessions.get(id);
  const isNew = isStart || earlier === undefined;
  const root = (isStart ? undefined : earlier?.root) ?? repositoryRoot(event.cwd);
  const repository = await readRepositoryConfig(root);
  const begun = isNew ? begin(sessions, run, key, root) : earlier;
  const isFirst = isStart ||
    begun.status === "starting" && (earlier === undefined || introducesAtPrompt(profile));
  const limited = sessions.limit(begun, limitsOf(repository));
  if (isStart) return { dir, sessions, session: limited, repository, isNew, isFirst };
  const session = sessions.update(id, { status: "working" }, limited) ?? limited;
  new TurnEnds(dir, id).reset();
  if (profile.agents?.events["subagent-start"] !== undefined) new Subagents(dir, id).clear();
  return { dir, sessions, session, repository, isNew, isFirst };
}

/** This harness loses what a session-start prints, or has its first prompt at the same moment. */
function introducesAtPrompt({ injectAt, startsWithPrompt }: HookProfile): boolean {
  return injectAt === "first-prompt" || startsWithPrompt === true;
}

async function meshText(run: Run, turn: Turn, messages: readonly Message[]): Promise<MeshText | undefined> {
  const { dir, sessions, session, repository, isNew, isFirst } = turn;
  const isStart = run.event.event === "session-start";
  const inbox = new Inbox(dir);
  for (const message of messages) {
    if (!await receiveAnnouncement(dir, message)) {
      inbox.put(isForAgent(message) ? agentMailbox(session.agentId) : session, message);
    }
  }
  if (isNew || messages.some(isForAgent)) adoptWaiting(inbox, session);
  if (isStart) {
    inbox.prune(session);
    sessions.prune();
  }
  if (isStart && introducesAtPrompt(run.profile)) return undefined;
  renewLocks(dir, session);
  const sent = isStart ? "" : await mention(run, dir, sessions, session);
  const due = offer(dir, session, isFirst ? "start" : "prompt");
  const after = [isFirst ? introduction(session, repository) : "", sent, due && !due.urgent ? due.text : ""];
  return {
    before: due?.urgent ? due.text : "",
    after: after.filter((text) => text !== "").join("\n\n"),
    confirm: () => due?.confirm(),
  };
}

/** To the agent, whichever session of it reads it. */
function isForAgent({ to }: Message): boolean {
  return to.session === undefined && to.agentId !== undefined;
}

function begin(
  sessions: AgentSessions,
  { event, profile, settings }: Run,
  key: string,
  root: string,
): AgentSession {
  const shared = profile.sharesEnvironment === true;
  const caller = shared ? undefined : findCaller();
  return sessions.begin({
    key,
    harness: profile.id,
    agentId: settings.agentId,
    url: settings.url,
    project: event.cwd,
    root,
    machine: machineName(settings),
    // The environment and the process may be those of another window.
    terminal: shared ? undefined : findTerminal(HOST.env),
    caller,
    tty: caller === undefined ? undefined : ttyOf(caller.pid),
    wake: profile.agents?.wake(HOST.env) ?? "none",
  });
}

/** Tells an agent its name, because Codex's tools cannot know which session calls them, and its rules. */
function introduction(session: AgentSession, repository: readonly ConfigFile[]): string {
  const rules = rulesText([readUserConfig(), ...repository], session);
  return rules === "" ? nameText(session) : `${nameText(session)}\n\n${rules}`;
}

export function nameText(session: Pick<AgentSession, "harness" | "key">): string {
  const handle = handleOf(session);
  return `You are ${handle} to the other agents on this machine and in this project. ` +
    `The tools agent_peers, agent_message_send, agent_message_inbox and agent_message_reply ` +
    `(or the commands signet-connect agents, send, inbox and reply) let you work with them; ` +
    `where one asks who you are, say ${handle}. Messages from other agents are marked as such.`;
}

/** The session is over: nobody can write to it any more. */
async function meshEnd({ profile }: Run, key: string): Promise<void> {
  const dir = openAgentsDir();
  if (dir === undefined) return;
  const id = { harness: profile.id, key };
  const sessions = new AgentSessions(dir);
  const session = sessions.get(id);
  if (session === undefined) return;
  await freeLocks(dir, session, "session");
  sessions.end(id);
  remove(waiterPath(dir, id));
  appendAgentLog(dir, { event: "ended", session: key, harness: profile.id });
}
