/**
 * The script for one of several versions of a program: memory in, conversation out, the
 * user's settings still in force, and no harm where our program is gone.
 */
import { assert, assertStringIncludes } from "@std/assert";
import type { Harness } from "../../../connectors/base/harness.ts";
import { eventsFor } from "../../../connectors/base/versions/events_for.ts";
import type { ModelRequest, Script } from "../model/turn.ts";
import { REPLY, sayPlainly } from "../model/turn.ts";
import { type Package, programPath } from "../packages.ts";
import type { Ran } from "../process.ts";
import type { Scenario, Stage } from "../stage.ts";
import * as steps from "../steps.ts";

/** What the script needs to know of a harness. */
export interface Kit {
  readonly harness: Harness;
  /** The interpreter of its program, if it needs one; the package goes along. */
  readonly runtime?: readonly (string | Package)[];
  /** Writes what the user had before we came. */
  furnish(stage: Stage, version: string): Promise<void>;
  ask(stage: Stage, prompt: string): Promise<Ran>;
  /** The variables of its program that decide which version runs. */
  env?(stage: Stage): Record<string, string>;
  readonly installFlags?: readonly string[];
  /** The requests of the conversation, without titles and the like. */
  conversation?(stage: Stage): ModelRequest[];
  /** Limits the script of the model to the conversation. */
  toConversation?(script: Script): Script;
  /** How the model searches the memory, where it does not call the tool itself. */
  search?(marker: string): Script;
  /** How often the user's own hooks run in one prompt. */
  readonly userHooks: Record<string, number>;
  /** Files that the program rewrites itself. */
  readonly rewritten?: Parameters<typeof steps.uninstall>[2];
  /** What only this harness does. */
  also?(stage: Stage, version: string): Promise<void>;
}

export function playVersion(kit: Kit, version: string, pkg: Package): Scenario {
  const { harness, runtime = [] } = kit;
  const words = runtime.map((part) => typeof part === "string" ? part : programPath(part));
  return {
    harness,
    name: `${harness.id}@${version}`,
    packages: [pkg, ...runtime.filter((part) => typeof part !== "string")],
    ...(words.length === 0 ? {} : { command: [...words, programPath(pkg)] }),
    play: (stage) => play(stage, kit, version),
  };
}

async function play(stage: Stage, kit: Kit, version: string): Promise<void> {
  const { harness, conversation = (at) => at.model.requests, toConversation = (script) => script } = kit;
  await kit.furnish(stage, version);
  await steps.fillDaemon(stage);
  await steps.install(stage, ...kit.installFlags ?? []);
  stage.model.requests.length = 0;
  stage.model.script = toConversation((kit.search ?? steps.searchOnce)("OSPREY"));
  const first = await kit.ask(stage, "OSPREY: what do I have in the morning?");
  await stage.check("the program answers", () => steps.answered(first));
  const turns = [...conversation(stage)];
  await steps.userHooksRan(stage, kit.userHooks);
  await steps.injectedOnce(stage, turns[0]);
  await steps.toolReturnedMemory(stage, turns);
  await conversationArrived(stage, eventsFor(harness, version));
  stage.model.script = sayPlainly;
  await kit.also?.(stage, version);
  await stage.check("doctor knows the version", async () => {
    assertStringIncludes(
      (await stage.connector("doctor")).stdout,
      `is version ${version}, which was tested`,
    );
  });
  await programRemoved(stage, kit);
  await steps.uninstall(stage, () => kit.ask(stage, "STORK: still there?"), kit.rewritten);
  await steps.printsVersion(stage, kit.env?.(stage));
}

/** The conversation is in a session end, or in a checkpoint where the version sends no end. */
async function conversationArrived(stage: Stage, events: Harness["events"]): Promise<void> {
  if (events["session-end"] !== undefined) {
    await steps.transcriptArrived(stage, ["OSPREY", REPLY]);
    return await steps.daemonRecorded(stage, ["session-start", "user-prompt-submit", "session-end"]);
  }
  await steps.daemonRecorded(stage, ["session-start", "user-prompt-submit", "checkpoint"]);
  await steps.checkpointArrived(stage, ["OSPREY", REPLY]);
}

/** Our program is removed while the model answers, and then missing from the start. */
async function programRemoved(stage: Stage, { harness, ask }: Kit): Promise<void> {
  const program = stage.at(`.local/bin/${harness.binary}`);
  const aside = `${program}.aside`;
  stage.model.script = () => {
    try {
      Deno.renameSync(program, aside);
    } catch {
      // An earlier request has done it.
    }
    return { text: REPLY };
  };
  const during = await ask(stage, "AVOCET: are you there?");
  await stage.check("our program is removed under a running session, and it answers", async () => {
    steps.answered(during);
    assert(await Deno.stat(program).catch(() => undefined) === undefined, "it was not removed");
  });
  stage.model.script = sayPlainly;
  stage.model.requests.length = 0;
  const after = await ask(stage, "KNOT: and now?");
  await stage.check("without our program the prompt reaches the model", () => {
    steps.answered(after);
    assert(stage.model.requests.some(({ raw }) => raw.includes("KNOT")), "the prompt was blocked");
  });
  await Deno.rename(aside, program).catch(() => {});
}
