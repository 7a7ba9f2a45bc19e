/** `deno task e2e --locks`: locks on files, enforced in the real programs. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { dirname, join } from "@std/path";
import type { LockOwner } from "../../../hooks/agents/locks/lock.ts";
import { readLines } from "../../../hooks/agents/locks/lock_log.ts";
import { Locks } from "../../../hooks/agents/locks/locks.ts";
import { ownerOf } from "../../../hooks/agents/locks/tool_call.ts";
import { AgentSessions } from "../../../hooks/agents/sessions/session.ts";
import { offersTools } from "../model/main_requests.ts";
import { type ModelRequest, REPLY, type Turn } from "../model/turn.ts";
import type { Ran } from "../process.ts";
import type { Scenario, Stage } from "../stage.ts";
import * as steps from "../steps.ts";
import { hooksRun, judgeQuiet, quietCalls, type WatchedCall, watchHooks } from "./watched_hooks.ts";

type ToolCall = NonNullable<Turn["tool"]>;

/** One editing tool of a harness. */
export interface EditingTool {
  readonly title: string;
  /** The file's name ends like this. */
  readonly extension?: string;
  /** What is in the file before; undefined if the tool makes a new file. */
  readonly before?: string;
  /** The calls that the harness wants first, such as reading the file. */
  readonly first?: (path: string) => ToolCall;
  /** The call that changes the file; undefined if the program does not offer the tool. */
  call(path: string, request: ModelRequest): ToolCall | undefined;
  /** The hook that refuses sees it only afterwards: it is noticed, not prevented. */
  readonly hidden?: boolean;
}

/** What the script needs to know of a harness. */
export interface LockKit {
  furnish(stage: Stage): Promise<void>;
  readonly installFlags: readonly string[];
  ask(stage: Stage, prompt: string): Promise<Ran>;
  /** Whether a change that is noticed afterwards is reported at the end of the turn only. */
  readonly deafAfterTool?: boolean;
  readonly tools: readonly EditingTool[];
  /** Calls of tools that only read `path`, before which no hook runs; undefined if hooks run before every tool. */
  reading?(path: string, project: string): ToolCall[];
  /** A call of an MCP tool, before which a hook runs. */
  readonly mcp?: readonly ToolCall[];
}

const OTHER: LockOwner = { agentId: "bob", harness: "pi", session: "peer0001", machine: "m1" };

/** A file that a tool is tried on, and whose lock it has. */
interface Attempt {
  readonly tool: EditingTool;
  readonly path: string;
  readonly held: "other" | "own" | "free";
  called: boolean;
  /** The request that followed the call. */
  next?: ModelRequest;
}

/** The scenario of a harness, with this script in place of its own. */
export function withLocks(scenario: Scenario, kit: LockKit): Scenario {
  return { ...scenario, play: (stage) => playLocks(stage, kit) };
}

async function playLocks(stage: Stage, kit: LockKit): Promise<void> {
  await kit.furnish(stage);
  await steps.fillDaemon(stage);
  await steps.install(stage, "--agents", ...kit.installFlags);
  const dir = stage.at(".local/state/signet/agents");
  await Deno.mkdir(dir, { recursive: true, mode: 0o700 });
  const locks = new Locks(dir);
  const attempts: Attempt[] = [];
  for (const [i, tool] of kit.tools.entries()) {
    for (const held of ["other", "own", "free"] as const) {
      const path = join(stage.project, `${held}-${i}${tool.extension ?? ".txt"}`);
      await Deno.mkdir(dirname(path), { recursive: true });
      if (tool.before !== undefined) await Deno.writeTextFile(path, tool.before);
      if (held === "other") {
        const taken = await locks.take(path, "/", { owner: OTHER, intent: `GREBE-${i}` });
        assertEquals(taken.kind, "taken");
      }
      attempts.push({ tool, path, held, called: false });
    }
  }
  if (kit.reading !== undefined) await watchHooks(stage);
  const quiet = await quietCalls(stage, kit);
  const ran = await perform(stage, kit, locks, attempts, quiet);
  await stage.check("the program answers", () => steps.answered(ran));
  await judgeQuiet(stage, quiet);
  for (const attempt of attempts) {
    const last = stage.model.requests.findLast(offersTools);
    await judge(stage, locks, attempt, kit.deafAfterTool ? last : attempt.next);
  }
}

/** One conversation in which the model makes all the calls, one after the other. */
async function perform(
  stage: Stage,
  kit: LockKit,
  locks: Locks,
  attempts: Attempt[],
  watched: readonly WatchedCall[],
): Promise<Ran> {
  const toWatch = [...watched];
  let begun: WatchedCall | undefined;
  const calls = attempts.flatMap((attempt) => [
    ...attempt.tool.first ? [{ attempt, make: attempt.tool.first }] : [],
    { attempt, make: undefined },
  ]);
  let last: Attempt | undefined;
  stage.model.requests.length = 0;
  stage.model.script = (request) => {
    if (!offersTools(request) || !request.raw.includes("OSPREY")) return { text: REPLY };
    if (last !== undefined) last.next ??= request;
    last = undefined;
    if (begun !== undefined) begun.after = hooksRun(stage);
    begun = toWatch.shift();
    if (begun !== undefined) {
      begun.before = hooksRun(stage);
      return { tool: begun.call };
    }
    for (let next = calls.shift(); next !== undefined; next = calls.shift()) {
      const { attempt, make } = next;
      if (make !== undefined) return { tool: make(attempt.path) };
      if (attempt.held === "own") takeForSession(stage, locks, attempt.path);
      const tool = attempt.tool.call(attempt.path, request);
      if (tool === undefined) continue;
      attempt.called = true;
      last = attempt;
      return { tool };
    }
    return { text: REPLY };
  };
  return await kit.ask(stage, "OSPREY: edit the files");
}

/** The session locks a file itself. Nothing else runs, so nobody is in the way. */
function takeForSession(stage: Stage, locks: Locks, path: string): void {
  const [session] = new AgentSessions(stage.at(".local/state/signet/agents")).list();
  if (session !== undefined) void locks.take(path, "/", { owner: ownerOf(session) });
}

/** `report` is the request in which the model learns of a change that was noticed afterwards. */
async function judge(
  stage: Stage,
  locks: Locks,
  attempt: Attempt,
  report: ModelRequest | undefined,
): Promise<void> {
  const { tool, path, held, called, next } = attempt;
  if (!called) return console.log(`          ${tool.title}: this version does not offer it`);
  const after = await Deno.readTextFile(path).catch(() => undefined);
  if (held === "other" && tool.hidden) {
    return await stage.check(`${tool.title}: a locked file that changed is noticed`, () => {
      assert(after !== tool.before, "it did not change");
      assertStringIncludes(report?.raw ?? "", `${path}, which pi-peer has locked`);
      assert(readLines(locks.logPath).some((line) => line.event === "violated" && line.path === path));
    });
  }
  if (held === "other") {
    return await stage.check(`${tool.title}: a locked file keeps its bytes, and the model learns why`, () => {
      assertEquals(after, tool.before);
      const raw = next?.raw ?? "";
      assertStringIncludes(raw, `${path} is locked by pi-peer (agent bob)`);
      assertStringIncludes(raw, tool.title === "" ? "" : "GREBE-");
    });
  }
  const title = held === "own" ? "a file that the session itself has locked" : "a file without a lock";
  await stage.check(`${tool.title}: ${title} is edited`, () => {
    assert(after !== tool.before, `unchanged; the model got ${next?.raw.slice(-1500)}`);
  });
}
