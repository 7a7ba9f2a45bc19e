import "./common.ts";
import type { HookArgs } from "../args.ts";
import { isRehearsal, logHook } from "../log.ts";
import { onPostTool } from "../on/post_tool.ts";
import { onPreTool } from "../on/pre_tool.ts";
import { onSubagentEnd, onSubagentStart } from "../on/subagent.ts";
import { onTurnEnd } from "../on/turn_end.ts";
import { onWaiting } from "../on/waiting.ts";
import type { HookProfile } from "../profile.ts";
import { readInput } from "../stdin.ts";
import { writeOut } from "../write_out.ts";
import { agentInput } from "./agent_input.ts";
import { renderAnswer } from "./answer.ts";
import type { AgentCall, AgentOutcome } from "./call.ts";
import { openAgentsDir } from "./dir.ts";
import type { AgentEventName } from "./event.ts";
import { type AgentSession, AgentSessions } from "./sessions/session.ts";
import { Subagents } from "./sessions/subagents.ts";
import { hasLocks } from "./locks/has_locks.ts";
import { loadLockMode } from "./locks/lock_mode.ts";
import { lockProblem, notChecked, stranger, writesFiles } from "./locks/not_checked.ts";

type Handler = (call: AgentCall) => AgentOutcome | Promise<AgentOutcome>;

const HANDLERS: { readonly [E in Exclude<AgentEventName, "wait-for-messages">]: Handler } = {
  "pre-tool": onPreTool,
  "post-tool": onPostTool,
  "subagent-start": onSubagentStart,
  "subagent-end": onSubagentEnd,
  "turn-end": onTurnEnd,
  "waiting": onWaiting,
};

/** Half of the harness's timeout: the rest is for starting the process on a loaded machine. */
const SHARE = 0.5;

/**
 * A hook between two steps of an agent. It reads no settings and calls no daemon:
 * what it needs was written down when the session began. Without such a session
 * it does nothing.
 */
export async function agentHook(
  profile: HookProfile,
  { event }: HookArgs & { kind: "agent" },
  stdinMs: number,
): Promise<void> {
  const { agents } = profile;
  const at = agents?.events[event];
  if (agents === undefined || at === undefined) return;
  const dir = openAgentsDir();
  const problem = dir === undefined && event === "pre-tool" ? lockProblem() : undefined;
  if (dir === undefined && problem === undefined) return;
  const budget = at.timeoutMs * SHARE;
  let known: Pick<AgentSession, "key" | "repository"> = { key: "" };
  const lockMode = event === "pre-tool" ? await loadLockMode() : undefined;
  const unchecked = (why: string) => {
    const answer = lockMode === undefined
      ? undefined
      : notChecked(profile.id, known.key, lockMode(known.repository), why);
    if (answer !== undefined) {
      Deno.stdout.writeSync(new TextEncoder().encode(renderAnswer(agents, event, answer)));
    }
  };
  const watchdog = event === "wait-for-messages" ? undefined : setTimeout(() => {
    unchecked("it took too long");
    Deno.exit(0);
  }, budget);
  // Loaded while the harness writes: most calls that a hook sees are edits and commands.
  if (lockMode !== undefined && dir !== undefined && hasLocks(dir)) {
    import("./locks/is_free.ts").catch(() => {}); // it is awaited where it is used
  }
  const read = await readInput(Deno.stdin, Math.min(stdinMs, budget / 2));
  const input = read.kind === "object" ? agentInput(read.value) : {};
  const key = input.session_id;
  if (typeof key !== "string" || isRehearsal({ session: key }) || profile.isForeign?.(input)) return;
  const tool = typeof input.tool_name === "string" ? input.tool_name : undefined;
  known = { key };
  if (dir === undefined) {
    if (writesFiles(agents, tool)) unchecked(problem ?? "there is no directory");
    return;
  }
  const sessions = new AgentSessions(dir);
  // Locks count for every session, also for one whose start no hook has seen.
  const noted = sessions.get({ harness: profile.id, key });
  const session = noted ?? (event === "pre-tool" ? stranger(profile.id, key, input.cwd) : undefined);
  if (session === undefined) return;
  known = session;
  if (event === "wait-for-messages") {
    return await (await import("./on_demand.ts")).waitForMessages(dir, sessions, session, agents);
  }
  const call: AgentCall = {
    profile,
    agents,
    dir,
    sessions,
    session,
    hasFile: noted !== undefined,
    input,
    tool,
    lockMode: lockMode?.(session.repository),
    // Claude Code sends this for the calls of a sub-agent only.
    isSubagent: typeof input.agent_id === "string" && input.agent_id !== "" ||
      (agents.events["subagent-start"] !== undefined && new Subagents(dir, session).isRunning()),
  };
  const { answer, outcome, confirm } = await HANDLERS[event](call);
  const text = renderAnswer(agents, event, answer);
  if (text === "" || await writeOut(text)) confirm?.();
  clearTimeout(watchdog);
  if (outcome === undefined) return;
  logHook(profile.id, { event, outcome, chars: text.length || undefined, session: key.slice(0, 12) });
}
