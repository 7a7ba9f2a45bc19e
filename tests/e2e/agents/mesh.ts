/** `deno task e2e --mesh`: agents that message each other, in the real programs. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { Inbox } from "../../../hooks/agents/messages/inbox.ts";
import { handleOf } from "../../../hooks/agents/sessions/handle.ts";
import type { Message } from "../../../hooks/agents/messages/message.ts";
import type { ListedSession } from "../../../hooks/agents/sessions/session.ts";
import { sampleMessage } from "../../../connectors/base/testing/sample_message.ts";
import { offersTools } from "../model/main_requests.ts";
import { type ModelRequest, REPLY } from "../model/turn.ts";
import type { Stage } from "../stage.ts";
import * as steps from "../steps.ts";
import { poll } from "../watch.ts";
import type { MeshKit } from "./mesh_kit.ts";
import { playScreens } from "./mesh_screens.ts";
import { exists, leavesNoWaiter, meshDir, NOTICE, sessions, shellOnce } from "./mesh_steps.ts";

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
  await playScreens(stage, kit);
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

/** Another agent in the same project writes to a session. */
function write(stage: Stage, session: ListedSession, change: Partial<Message>): Message {
  const from = { agentId: stage.agentId, harness: "pi", session: "peer-1", machine: "m1", cwd: "proj" };
  const message = sampleMessage({ from, ...change });
  new Inbox(meshDir(stage)).put(session, message);
  return message;
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
