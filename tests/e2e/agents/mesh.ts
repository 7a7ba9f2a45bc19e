/** `deno task e2e --mesh`: agents that message each other, in the real programs. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { Inbox } from "../../../hooks/agents/messages/inbox.ts";
import { handleOf } from "../../../hooks/agents/sessions/handle.ts";
import type { Message } from "../../../hooks/agents/messages/message.ts";
import { AgentSessions, type ListedSession } from "../../../hooks/agents/sessions/session.ts";
import { sampleMessage } from "../../../connectors/base/testing/sample_message.ts";
import { ask as askOpenclaw, config as openclawConfig } from "../harnesses/openclaw.ts";
import { Gateway } from "../harnesses/openclaw_gateway.ts";
import { offersTools } from "../model/main_requests.ts";
import { type ModelRequest, REPLY, sayPlainly, type Script, type Turn } from "../model/turn.ts";
import type { Ran } from "../process.ts";
import { Screen } from "../screen.ts";
import type { Stage } from "../stage.ts";
import * as steps from "../steps.ts";
import { poll } from "../watch.ts";

/** What the script needs to know of a harness. */
export interface MeshKit {
  furnish(stage: Stage): Promise<void>;
  readonly installFlags: readonly string[];
  /** Whether the end of a turn can be refused. */
  readonly goesOn: boolean;
  /** Whether the program takes no text between tool calls, so that messages come at the end of a turn. */
  readonly deafAfterTool?: boolean;
  /** Asks without a screen; shell commands run without a question. */
  ask(stage: Stage, prompt: string): Promise<Ran>;
  /** The call of the tool that runs a shell command. */
  shell(request: ModelRequest, command: string): NonNullable<Turn["tool"]>;
  /** The call of the tool that starts a sub-agent, where the program tells our hooks about it. */
  subagent?(prompt: string): NonNullable<Turn["tool"]>;
  /** The screen of a harness that can be woken. */
  readonly screen?: OpenScreen;
  /** A screen that asks before it runs a command, and the key that allows it. */
  readonly asks?: {
    readonly open: OpenScreen;
    readonly question: string;
    readonly key: string;
    /** What the model adds to its call, where it decides whether the user is asked. */
    readonly input?: Record<string, unknown>;
  };
  /** The screen of a harness that cannot be woken: its user hears a bell. */
  readonly bell?: OpenScreen;
  /** Whether a session is woken even if the hook at the end of its turn was killed. */
  readonly recovers?: boolean;
}

interface Opening {
  readonly args: string[];
  readonly env: Record<string, string>;
  /** What a person does before the session can work, where the prompt is no argument. */
  begin?(screen: Screen): Promise<void>;
}

export type OpenScreen = (stage: Stage, prompt: string) => Opening;

/** The first words of the line above every message. */
const NOTICE = "Messages from other agents follow.";
const WAKES = 10;

export async function playMesh(stage: Stage, kit: MeshKit): Promise<void> {
  await kit.furnish(stage);
  await steps.fillDaemon(stage);
  await steps.install(stage, "--agents", ...kit.installFlags);
  const next = kit.deafAfterTool ? "comes at the end of the turn" : "is in the next request";
  await duringTool(stage, kit, "OSPREY", 3, `a message sent during a tool call ${next}`);
  await leavesNoWaiter(stage, "a run without a screen starts no waiter, and is not delayed by one");
  if (kit.goesOn) await atTurnEnd(stage, kit);
  if (kit.subagent !== undefined) await withSubagent(stage, kit, kit.subagent);
  await stops(stage, kit);
  await stage.daemon.kill();
  await duringTool(stage, kit, "PLOVER", 3, `with the daemon dead, a message ${next}`);
  await stage.daemon.start();
  if (kit.screen !== undefined) await wakes(stage, kit.screen);
  if (kit.screen !== undefined && kit.recovers) await wakesWithoutEnd(stage, kit.screen);
  if (kit.asks !== undefined) await waitsForUser(stage, kit, kit.asks);
  if (kit.bell !== undefined) await rings(stage, kit.bell);
  await stage.check("uninstall leaves nothing of the mesh", async () => {
    steps.succeeded(await stage.connector("uninstall", "--yes"));
    for (const [path, before] of stage.userFiles) {
      const after = await stage.read(path);
      assert(!after?.includes(stage.scenario.harness.binary), `${path} has an entry of ours`);
      if (!/config\.toml|\.claude\.json|kilo\.json/.test(path)) assertEquals(after, before, path);
    }
    assertEquals(await Deno.stat(stage.at(".local/state/signet/agents")).catch(() => undefined), undefined);
  });
}

/** The part with a screen alone, of a program that is slow to start. */
export async function playScreen(stage: Stage, kit: MeshKit, screen: OpenScreen): Promise<void> {
  await kit.furnish(stage);
  await steps.fillDaemon(stage);
  await steps.install(stage, "--agents", ...kit.installFlags);
  await wakes(stage, screen);
}

/** The live sessions in the home. */
function sessions(stage: Stage): ListedSession[] {
  return new AgentSessions(meshDir(stage)).list();
}

function meshDir(stage: Stage): string {
  return stage.at(".local/state/signet/agents");
}

/** Another agent in the same project writes to a session. */
function write(stage: Stage, session: ListedSession, change: Partial<Message>): Message {
  const from = { agentId: stage.agentId, harness: "pi", session: "peer-1", machine: "m1", cwd: "proj" };
  const message = sampleMessage({ from, ...change });
  new Inbox(meshDir(stage)).put(session, message);
  return message;
}

/** Runs a shell command in answer to the first request of the conversation with the mark. */
function shellOnce(kit: Pick<MeshKit, "shell">, mark: string, command: string): Script {
  let called = false;
  return (request) => {
    if (called || !offersTools(request) || !request.raw.includes(mark)) return { text: REPLY };
    called = true;
    return { tool: kit.shell(request, command) };
  };
}

/** A command that shows that it runs, and waits for us. */
async function gate(stage: Stage, name: string) {
  const entered = join(stage.project, `${name}.entered`);
  const go = join(stage.project, `${name}.go`);
  const script = `touch '${entered}'
i=0
while [ ! -e '${go}' ] && [ $i -lt 600 ]; do i=$((i+1)); sleep 0.1; done
echo TOOLRAN
`;
  // In a file: Gemini CLI refuses a command with a substitution in it.
  await Deno.writeTextFile(join(stage.project, `${name}.sh`), script);
  return { command: `sh ${name}.sh`, entered, open: () => Deno.writeTextFile(go, "") };
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

async function duringTool(
  stage: Stage,
  kit: MeshKit,
  mark: string,
  priority: Message["priority"],
  title: string,
): Promise<void> {
  const { command, entered, open } = await gate(stage, mark);
  stage.model.requests.length = 0;
  stage.model.script = shellOnce(kit, mark, command);
  const asking = kit.ask(stage, `${mark}: run the command`);
  await poll(() => Promise.resolve(exists(entered)), (there) => there);
  const [session] = sessions(stage);
  const text = `${mark}-MESSAGE from a peer`;
  const message = session === undefined ? undefined : write(stage, session, { text, priority });
  await open();
  const ran = await asking;
  await stage.check(`${title}, labelled, once`, () => {
    steps.answered(ran);
    assert(session !== undefined && message !== undefined, "the session is not in the mesh");
    assertEquals([session.status, session.harness], ["working", stage.scenario.harness.id]);
    const turns = stage.model.requests.filter(offersTools);
    const after = turns.findIndex(({ raw }) => raw.includes("TOOLRAN") && !raw.includes("tool_use_id_none"));
    const counts = turns.map(({ raw }) => steps.occurrences(raw, text));
    const first = counts.findIndex((count) => count > 0);
    assert(first > 0, `the message is in no request: ${counts}`);
    assertEquals(
      first,
      kit.deafAfterTool ? 2 : 1,
      `it is in request ${first} of ${turns.length}, the tool's result in ${after}`,
    );
    assert(counts.slice(first).every((count) => count === 1), `times per request: ${counts}`);
    const { raw } = turns[first] ?? { raw: "" };
    assertStringIncludes(raw, NOTICE);
    assertStringIncludes(raw, message.id);
    assertStringIncludes(raw, handleOf(session), "the agent knows its handle");
  });
}

async function atTurnEnd(stage: Stage, kit: MeshKit): Promise<void> {
  const { command, entered, open } = await gate(stage, "HERON");
  stage.model.requests.length = 0;
  stage.model.script = shellOnce(kit, "HERON", command);
  const asking = kit.ask(stage, "HERON: run the command");
  await poll(() => Promise.resolve(exists(entered)), (there) => there);
  const [session] = sessions(stage);
  const text = "HERON-LOW from a peer";
  if (session !== undefined) write(stage, session, { text, priority: 2 });
  await open();
  const ran = await asking;
  await stage.check("a message of low priority comes at the end of the turn, which goes on, once", () => {
    steps.answered(ran);
    const counts = stage.model.requests.filter(offersTools).map(({ raw }) => steps.occurrences(raw, text));
    assertEquals(counts, [0, 0, 1]);
  });
}

async function withSubagent(
  stage: Stage,
  kit: MeshKit,
  start: NonNullable<MeshKit["subagent"]>,
): Promise<void> {
  const { command, entered, open } = await gate(stage, "KESTREL");
  const isMain = ({ raw }: ModelRequest) => raw.includes("MERLIN");
  let begun = false;
  let called = false;
  stage.model.requests.length = 0;
  stage.model.script = (request) => {
    if (!offersTools(request)) return { text: REPLY };
    if (isMain(request) && !begun) {
      begun = true;
      return { tool: start("KESTREL: run the command") };
    }
    if (isMain(request) || called || !request.raw.includes("KESTREL")) return { text: REPLY };
    called = true;
    return { tool: kit.shell(request, command) };
  };
  const before = sessions(stage).length;
  const asking = kit.ask(stage, "MERLIN: let another agent do it");
  await poll(() => Promise.resolve(exists(entered)), (there) => there);
  const live = sessions(stage);
  const text = "KESTREL-MESSAGE from a peer";
  if (live[0] !== undefined) write(stage, live[0], { text });
  await open();
  const ran = await asking;
  await stage.check("a message goes to the agent, and not to its sub-agent", () => {
    steps.answered(ran);
    assertEquals(live.length, before + 1, "sessions in the mesh");
    const turns = stage.model.requests.filter(offersTools);
    const seen = (requests: ModelRequest[]) => requests.map(({ raw }) => steps.occurrences(raw, text));
    const below = turns.filter((request) => !isMain(request));
    assert(below.length > 1, "the sub-agent did not work");
    assertEquals(seen(below).filter((count) => count > 0), []);
    assertEquals(seen(turns.filter(isMain)).at(-1), 1);
  });
}

async function stops(stage: Stage, kit: MeshKit): Promise<void> {
  const files = ["first", "refused", "next"].map((name) => join(stage.project, `EGRET.${name}`));
  const commands = files.map((file) => `touch '${file}'`);
  const text = "EGRET-STOP from a peer";
  stage.model.requests.length = 0;
  stage.model.script = (request) => {
    if (!offersTools(request) || !request.raw.includes("EGRET")) return { text: REPLY };
    const command = commands.shift();
    if (command === undefined) return { text: REPLY };
    // Before the second call: nothing else of the session runs now.
    const [session] = sessions(stage);
    if (commands.length === 1 && session !== undefined) write(stage, session, { text, priority: 5 });
    return { tool: kit.shell(request, command) };
  };
  const ran = await kit.ask(stage, "EGRET: run the commands");
  await stage.check("a message of priority 5 refuses one tool call, and the next one runs", () => {
    steps.answered(ran);
    assertEquals(files.map(exists), [true, false, true]);
    const counts = stage.model.requests.filter(offersTools).map(({ raw }) => steps.occurrences(raw, text));
    assertEquals(counts, [0, 0, 1, 1]);
  });
}

async function wakes(stage: Stage, screenOf: OpenScreen): Promise<void> {
  stage.model.script = sayPlainly;
  stage.model.requests.length = 0;
  const before = new Set(sessions(stage).map(({ key }) => key));
  const { args, env, begin } = screenOf(stage, "DUNLIN: hello");
  await using screen = await Screen.open(stage, args, env);
  await begin?.(screen);
  await wakesTenTimes(stage, "an idle screen", before, () => screen.text());
  await screen.killProgram();
  await leavesNoWaiter(stage, "a waiter does not outlive its harness");
}

/** Writes to the session that was not there before, each time when it is idle. */
async function wakesTenTimes(
  stage: Stage,
  who: string,
  before: ReadonlySet<string>,
  report: () => Promise<string>,
): Promise<void> {
  const mine = () => sessions(stage).find(({ key }) => !before.has(key));
  const untilIdle = () => poll(() => Promise.resolve(mine()), (session) => session?.status === "idle");
  const idle = await untilIdle();
  const took: number[] = [];
  await stage.check(`${who} wakes for a message, ${WAKES} of ${WAKES}`, async () => {
    assert(idle?.status === "idle", `no idle session: ${idle?.status}\n${await report()}`);
    for (let i = 0; i < WAKES; i++) {
      const text = `WAKE-${i}-PLEASE`;
      const started = performance.now();
      steps.succeeded(await stage.connector("send", handleOf(idle), text));
      const shown = () => stage.model.requests.filter(({ raw }) => raw.includes(text));
      const requests = await poll(() => Promise.resolve(shown()), (found) => found.length > 0);
      took.push(Math.round(performance.now() - started));
      assert(requests.length > 0, `message ${i} woke nobody:\n${await report()}`);
      assertEquals(steps.occurrences(requests[0]?.raw ?? "", text), 1);
      assertStringIncludes(requests[0]?.raw ?? "", NOTICE);
      assertEquals((await untilIdle())?.status, "idle", await report());
    }
  });
  console.log(`          ms from send to the model: ${took.join(", ")}`);
}

async function wakesWithoutEnd(stage: Stage, open: OpenScreen): Promise<void> {
  stage.model.script = sayPlainly;
  const { screen, reach } = await opened(stage, open, "PETREL: hello");
  await using _screen = screen;
  await stage.check(
    "a screen wakes for a message although no hook has seen the end of its turn",
    async () => {
      const idle = await reach("idle");
      assert(idle?.status === "idle", await screen.text());
      // As if it had worked without a word for a while.
      new AgentSessions(meshDir(stage), () => Date.now() - 3 * 60_000).update(idle, { status: "working" });
      steps.succeeded(await stage.connector("send", "--as", "person", handleOf(idle), "PETREL-MESSAGE"));
      const shown = () => stage.model.requests.filter(({ raw }) => raw.includes("PETREL-MESSAGE"));
      const requests = await poll(() => Promise.resolve(shown()), (found) => found.length > 0);
      assertEquals(steps.occurrences(requests[0]?.raw ?? "", "PETREL-MESSAGE"), 1, await screen.text());
    },
  );
}

/** OpenClaw has no screen of its own: its gateway is there all the time. */
export async function playGatewayMesh(stage: Stage): Promise<void> {
  const port = Gateway.freePort();
  await stage.userFile(".openclaw/openclaw.json", openclawConfig(stage, port));
  await steps.fillDaemon(stage);
  await steps.install(stage, "--agents");
  stage.model.script = sayPlainly;
  await using _gateway = await Gateway.start(stage, port);
  steps.answered(await askOpenclaw(stage, "DUNLIN: hello"));
  await wakesTenTimes(stage, "an idle session of a gateway", new Set(), () => Promise.resolve(""));
}

/** Opens a screen and waits until its session is in a state. */
async function opened(stage: Stage, open: OpenScreen, prompt: string) {
  const before = new Set(sessions(stage).map(({ key }) => key));
  const { args, env, begin } = open(stage, prompt);
  const screen = await Screen.open(stage, args, env);
  await begin?.(screen);
  const mine = () => sessions(stage).find(({ key }) => !before.has(key));
  const reach = (status: string) =>
    poll(() => Promise.resolve(mine()), (session) => session?.status === status);
  return { screen, reach };
}

async function waitsForUser(
  stage: Stage,
  kit: MeshKit,
  { open, question, key, input }: NonNullable<MeshKit["asks"]>,
): Promise<void> {
  const file = join(stage.project, "AVOCET");
  const shell: MeshKit["shell"] = (request, command) => {
    const tool = kit.shell(request, command);
    return { ...tool, input: { ...tool.input, ...input } };
  };
  stage.model.script = shellOnce({ shell }, "AVOCET", `touch '${file}'`);
  const { screen, reach } = await opened(stage, open, "AVOCET: run the command");
  await using _screen = screen;
  await stage.check("a session that asks its user is waiting, and idle after the answer", async () => {
    assertEquals((await reach("waiting"))?.status, "waiting", await screen.text());
    assertEquals(exists(file), false, "it ran without an answer");
    const shown = await poll(() => screen.text(), (text) => text.includes(question));
    assertStringIncludes(shown, question);
    await screen.press(key);
    assertEquals((await reach("idle"))?.status, "idle", await screen.text());
    assertEquals(exists(file), true, await screen.text());
  });
}

async function rings(stage: Stage, open: OpenScreen): Promise<void> {
  stage.model.script = sayPlainly;
  const { screen, reach } = await opened(stage, open, "SHRIKE: hello");
  await using _screen = screen;
  await stage.check(
    "the terminal of an idle session rings, and the next prompt brings the message",
    async () => {
      const idle = await reach("idle");
      assert(idle?.status === "idle", await screen.text());
      steps.succeeded(await stage.connector("send", handleOf(idle), "SHRIKE-LATER"));
      assert(await poll(() => screen.hasRung(), (rung) => rung), `no bell; tty ${idle.tty}`);
      await screen.enter("SHRIKE: go on");
      const shown = () => stage.model.requests.filter(({ raw }) => raw.includes("SHRIKE-LATER"));
      // On a busy machine Gemini CLI takes the first Enter for a line break.
      const again = async () => {
        if (shown().length === 0) await screen.press("Enter");
        return shown();
      };
      const requests = await poll(again, (found) => found.length > 0);
      assertEquals(steps.occurrences(requests[0]?.raw ?? "", "SHRIKE-LATER"), 1, await screen.text());
    },
  );
}

/** The processes of this home that wait for messages. */
async function waiters(stage: Stage): Promise<string[]> {
  const found: string[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const words = await Deno.readTextFile(`/proc/${name}/cmdline`).catch(() => "");
    if (words.includes(stage.root) && words.includes("wait-for-messages")) found.push(name);
  }
  return found;
}

async function leavesNoWaiter(stage: Stage, title: string): Promise<void> {
  await stage.check(title, async () => {
    assertEquals(await poll(() => waiters(stage), (found) => found.length === 0), []);
  });
}
