/**
 * What is asserted of every harness, (1) to (7), as steps that its script calls
 * in this order: fillDaemon, install, a run of the program, the steps.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { basename } from "@std/path";
import type { EventName } from "../../hooks/event.ts";
import type { DaemonRequest } from "./daemon.ts";
import { hookRuns } from "./hook_log.ts";
import type { ModelRequest } from "./model/turn.ts";
import { REPLY, type Script } from "./model/turn.ts";
import type { Ran } from "./process.ts";
import type { Stage } from "./stage.ts";
import { entriesBelow, poll } from "./watch.ts";

/** A memory of this agent: the daemon puts it into the session-start text. */
export const SESSION_MARK = "KINGFISHER";
/** Another one, that the model asks for through a tool. */
export const TOOL_MARK = "MARMALADE";
/** What the daemon answers to a prompt. */
export const PROMPT_MARK = "PERIWINKLE";

/** What the daemon wants a compaction to keep. */
export const COMPACTION_MARK = "ALBATROSS";
/** A line of the workspace's AGENTS.md, which install composes into the harness's instruction file. */
export const IDENTITY_MARK = "CORMORANT";

/** In the description of the workspace's one skill. */
export const SKILL_MARK = "GANNET";

/** What the model is scripted to search for: finds TOOL_MARK, and not SESSION_MARK. */
export const TOOL_QUERY = "breakfast";

/** Gives the daemon memories, and makes it answer prompts with a text of its own. */
export async function fillDaemon(stage: Stage): Promise<void> {
  await stage.daemon.remember(stage.agentId, `The user sails a boat called ${SESSION_MARK}.`);
  await stage.daemon.remember(stage.agentId, `For breakfast the user has ${TOOL_MARK}.`);
  await stage.daemon.answer("user-prompt-submit", {
    inject: `The user once said ${PROMPT_MARK}.`,
    memoryCount: 1,
    sessionKnown: true,
  });
  const summaryPrompt = `Keep what was said about the ${COMPACTION_MARK}.`;
  await stage.daemon.answer("pre-compaction", { summaryPrompt, guidelines: "" });
}

/** The tool that searches the memory, under the name that this program offers it, called once. */
export function searchOnce(marker: string): Script {
  const input = { query: TOOL_QUERY };
  let called = false;
  return (request) => {
    const tool = searchTool(request);
    if (called || tool === undefined || !request.raw.includes(marker)) return { text: REPLY };
    called = true;
    return { tool: { ...tool, input } };
  };
}

function searchTool({ api, raw }: ModelRequest): { name: string; namespace?: string } | undefined {
  const [, name] = /"name":"([a-z_-]*memory_search)"/.exec(raw) ?? [];
  // Claude Code 2.1.325 may offer the tools only to a search, and calls one that is not listed.
  if (api === "anthropic") return { name: name ?? "mcp__signet__memory_search" };
  if (api !== "responses") return name === undefined ? undefined : { name };
  // Codex groups the tools of a server, and from 0.150 offers them only to a search.
  const [, namespace = "mcp__signet"] = /"name":"(mcp__signet_*)"/.exec(raw) ?? [];
  return { name: "memory_search", namespace };
}

/** Installs with the compiled binary, twice: the second time must change nothing. */
export async function install(stage: Stage, ...flags: string[]): Promise<void> {
  const args = ["install", "--url", stage.daemon.url, "--agent-id", stage.agentId, "--yes", ...flags];
  await stage.check("install succeeds", async () => succeeded(await stage.connector(...args)));
  const first = await snapshot(stage);
  await stage.check("a second install changes nothing", async () => {
    succeeded(await stage.connector(...args));
    assertEquals(await snapshot(stage), first);
  });
}

/** (1) The user's hooks ran, each as often as expected. */
export async function userHooksRan(stage: Stage, runs: Record<string, number>): Promise<void> {
  await stage.check("(1) the user's own hooks still ran", async () => {
    for (const [name, times] of Object.entries(runs)) {
      // A program may end before its last hook has.
      assertEquals(await poll(() => stage.userHookRuns(name), (count) => count >= times), times, name);
    }
  });
}

/** (2) The daemon's text is in the model's request, once. */
export async function injectedOnce(
  stage: Stage,
  request: ModelRequest | undefined,
  when = "",
): Promise<void> {
  await stage.check(`(2) session-start and prompt text reach the model exactly once${when}`, () => {
    assert(request !== undefined, "no request reached the model");
    assertEquals(occurrences(request.raw, SESSION_MARK), 1, `${SESSION_MARK}, from session-start`);
    assertEquals(occurrences(request.raw, PROMPT_MARK), 1, `${PROMPT_MARK}, from the prompt`);
  });
}

/** The identity composed from the workspace, and its skill, are in the model's request, once each. */
export async function workspaceReached(stage: Stage, request: ModelRequest | undefined): Promise<void> {
  await stage.check("the composed identity is among the model's instructions, once", () => {
    assertEquals(occurrences(request?.raw ?? "", IDENTITY_MARK), 1);
  });
  await stage.check("the workspace's skill is offered to the model, once", () => {
    assertEquals(occurrences(request?.raw ?? "", SKILL_MARK), 1);
  });
}

/** (3) The daemon recorded these events, each with harness, agent id and session key. */
export async function daemonRecorded(stage: Stage, events: readonly EventName[]): Promise<void> {
  const { id } = stage.scenario.harness;
  await stage.check(`(3) the daemon recorded ${events.join(", ")}`, async () => {
    const seen = await poll(() => stage.daemon.hooks(), (hooks) => {
      return events.every((event) => hooks.some((hook) => hook.path === route(event)));
    });
    const names = seen.map((hook) => hook.path.replace("/api/hooks/", ""));
    for (const event of events) {
      assert(seen.some((hook) => hook.path === route(event)), `${event} is missing in: ${names}`);
    }
    for (const hook of seen) {
      assertEquals(hook.body.harness, id, `${hook.path} harness`);
      assertEquals(hook.body.agentId, stage.agentId, `${hook.path} agentId`);
      const key = hook.body.sessionKey;
      assert(typeof key === "string" && key !== "", `${hook.path} has no session key`);
      assertEquals(hook.warnings, [], `${hook.path}: what a real daemon would ignore`);
    }
  });
}

/** (4) The model's tool call brought a memory: the mark is once more in a later request than in the first. */
export async function toolReturnedMemory(stage: Stage, requests: readonly ModelRequest[]): Promise<void> {
  await stage.check("(4) an MCP tool call by the model returned a memory", () => {
    const counts = requests.map((request) => occurrences(request.raw, TOOL_MARK));
    assert(
      Math.max(...counts.slice(1)) > (counts[0] ?? 0),
      `${TOOL_MARK} per request: ${counts.join(", ") || "no request"}`,
    );
  });
}

/**
 * (5) With the daemon dead the program still answers, and every hook kept its budget.
 * `deliver` makes the session's end arrive once the daemon is back.
 */
export async function survivesDeadDaemon(
  stage: Stage,
  ask: () => Promise<Ran>,
  deliver: () => Promise<Ran> = () => stage.connector("flush"),
): Promise<void> {
  await stage.daemon.kill();
  const from = new Date();
  const ran = await ask();
  await stage.check("(5) with the daemon dead the program answers", () => answered(ran));
  await stage.check("(5) with the daemon dead every hook kept its budget", () => keptBudgets(stage, from));
  await stage.daemon.start();
  await stage.check("(5) what waited on disk arrives once the daemon is back", async () => {
    succeeded(await deliver());
    const hooks = await poll(
      () => stage.daemon.hooks(),
      (seen) => seen.some((hook) => hook.path === route("session-end")),
    );
    assert(hooks.some((hook) => hook.path === route("session-end")), "no session-end came");
  });
}

/** (5) With a daemon that accepts connections and never answers, the program answers too. */
export async function survivesHangingDaemon(stage: Stage, ask: () => Promise<Ran>): Promise<void> {
  stage.daemon.freeze();
  const from = new Date();
  const ran = await ask();
  stage.daemon.thaw();
  await stage.check("(5) with a daemon that hangs the program answers", () => answered(ran));
  await stage.check(
    "(5) with a daemon that hangs every hook kept its budget",
    () => keptBudgets(stage, from),
  );
}

/** Every hook that ran since a moment ended within its timeout. */
async function keptBudgets(stage: Stage, from: Date): Promise<void> {
  const { id, events } = stage.scenario.harness;
  const runs = await hookRuns(stage.at(`.local/state/signet/${id}/hook.log`), from);
  assert(runs.length > 0, "hook.log has no line of this run");
  for (const { event, ms } of runs) {
    const budget = events[event]?.timeoutMs;
    assert(budget !== undefined && ms < budget, `${event} took ${ms} ms of ${budget ?? "no"} ms`);
  }
}

/** (6) A session-end brought the conversation, without the text that hooks had injected. */
export async function transcriptArrived(stage: Stage, said: readonly string[]): Promise<void> {
  await stage.check("(6) the transcript has the conversation and none of our own text", async () => {
    let transcripts: unknown[] = [];
    const found = await poll(async () => {
      const ends = (await stage.daemon.hooks()).filter((hook) => hook.path === route("session-end"));
      transcripts = ends.map((hook) => hook.body.transcript);
      return transcripts.find((text): text is string => typeof text === "string" && hasAll(text, said));
    }, (text) => text !== undefined);
    assert(
      found !== undefined,
      `no session-end transcript has ${said.join(" and ")}; got ${JSON.stringify(transcripts)}`,
    );
    for (const mark of [SESSION_MARK, PROMPT_MARK]) {
      assertEquals(occurrences(found, mark), 0, `${mark} in ${found}`);
    }
  });
}

function hasAll(text: string, parts: readonly string[]): boolean {
  return parts.every((part) => text.includes(part));
}

/** (6) A checkpoint brought the conversation, where a program sends no end. */
export async function checkpointArrived(stage: Stage, said: readonly string[]): Promise<void> {
  await stage.check("(6) a checkpoint has the conversation and none of our own text", async () => {
    const text = await poll(async () => {
      const newest = (await stage.daemon.hooks()).findLast(({ path }) => path === route("checkpoint"));
      return String(newest?.body.transcript);
    }, (newest) => hasAll(newest, said));
    for (const part of said) assertStringIncludes(text, part);
    for (const mark of [SESSION_MARK, PROMPT_MARK]) assertEquals(occurrences(text, mark), 0);
  });
}

/**
 * (7) Uninstall restores the user's files byte for byte, leaves nothing of
 * Signet's, and the program runs as it did before. Files that the program rewrites
 * itself are compared by `rewritten` instead.
 */
export async function uninstall(
  stage: Stage,
  ask: () => Promise<Ran>,
  rewritten: Record<string, (before: string, after: string) => void> = {},
): Promise<void> {
  await stage.check(
    "(7) uninstall succeeds",
    async () => succeeded(await stage.connector("uninstall", "--yes")),
  );
  for (const [path, before] of stage.userFiles) {
    const compare = rewritten[path];
    const title = compare ? "is as before but for what the program wrote" : "has its bytes back";
    await stage.check(`(7) ${path} ${title}`, async () => {
      const after = await stage.read(path);
      assert(after !== undefined, `${path} is gone`);
      if (compare) compare(before, after);
      else assertEquals(after, before);
    });
  }
  stage.model.requests.length = 0;
  const ran = await ask();
  await stage.check("(7) the program runs as before", () => {
    answered(ran);
    const told = stage.model.requests.filter((request) => /KINGFISHER|PERIWINKLE/.test(request.raw));
    assertEquals(told.length, 0, "requests with text from the daemon");
  });
  await stage.check("(7) nothing of ours is left in the home", async () => {
    // OpenClaw loads plugins from copies of its own, and a gateway that is killed leaves them behind.
    const copies = stage.at(".openclaw/tmp/plugin-captures");
    const left = await entriesBelow(stage.home, [stage.workspace, copies]);
    assertEquals(left.filter((path) => /^(\.?signet|knots$)/i.test(basename(path))), []);
  });
}

/** A run that ended well and brought the model's words. */
export function answered(ran: Ran): void {
  succeeded(ran);
  assertStringIncludes(ran.stdout, REPLY);
}

export function succeeded(ran: Ran): void {
  const said = `${ran.stdout}\n${ran.stderr}`.trim().slice(-2000);
  assert(
    ran.code === 0 && !ran.timedOut,
    ran.timedOut ? `no end after ${ran.ms} ms: ${said}` : `exit code ${ran.code}: ${said}`,
  );
}

export function occurrences(text: string, mark: string): number {
  return text.split(mark).length - 1;
}

/** The session keys that the daemon saw, in order of appearance. */
export function sessionKeys(hooks: readonly DaemonRequest[]): string[] {
  return [...new Set(hooks.map((hook) => String(hook.body.sessionKey)))];
}

function route(event: EventName): string {
  return `/api/hooks/${event === "checkpoint" ? "session-checkpoint-extract" : event}`;
}

/** Every file that the user wrote, as it is now. */
async function snapshot(stage: Stage): Promise<(string | undefined)[]> {
  return await Promise.all([...stage.userFiles.keys()].map((path) => stage.read(path)));
}

/** doctor runs the installed hooks as the harness would, and finds nothing wrong. */
export async function doctorIsContent(stage: Stage): Promise<void> {
  await stage.check("doctor finds nothing wrong", async () => succeeded(await stage.connector("doctor")));
}

/**
 * The program that ran is the version that the run names: one that unpacks or updates
 * itself may run another. Comes last, because some programs write files when they print it.
 */
export async function printsVersion(stage: Stage, env: Record<string, string> = {}): Promise<void> {
  const version = stage.scenario.packages[0]?.version ?? "";
  await stage.check(`the program says that it is version ${version}`, async () => {
    const ran = await stage.program(["--version"], { env });
    succeeded(ran);
    // pi 0.73 prints it to stderr, and Copilot CLI ends a sentence with it.
    const found = `${ran.stdout}\n${ran.stderr}`.matchAll(/\d+(?:\.\d+)+(?:-[\w.]*\w)?/g);
    const printed = [...found].map(([text]) => text);
    assert(printed.includes(version), `it printed ${ran.stdout}${ran.stderr}`);
  });
}
