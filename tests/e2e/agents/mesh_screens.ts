/** The part of `deno task e2e --mesh` that needs a terminal: idle sessions that are woken, and users who are asked. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { handleOf } from "../../../hooks/agents/sessions/handle.ts";
import { AgentSessions } from "../../../hooks/agents/sessions/session.ts";
import { ask as askOpenclaw, config as openclawConfig } from "../harnesses/openclaw.ts";
import { Gateway } from "../harnesses/openclaw_gateway.ts";
import { hookRuns } from "../hook_log.ts";
import { offersTools } from "../model/main_requests.ts";
import { sayPlainly } from "../model/turn.ts";
import { Screen } from "../screen.ts";
import type { Stage } from "../stage.ts";
import * as steps from "../steps.ts";
import { poll } from "../watch.ts";
import type { MeshKit, OpenScreen } from "./mesh_kit.ts";
import { exists, leavesNoWaiter, meshDir, NOTICE, sessions, shellOnce } from "./mesh_steps.ts";

const WAKES = 10;

export async function playScreens(stage: Stage, kit: MeshKit): Promise<void> {
  if (kit.screen !== undefined) await wakes(stage, kit.screen);
  if (kit.screen !== undefined && kit.recovers) await wakesWithoutEnd(stage, kit.screen);
  if (kit.screen !== undefined && kit.ringDoorbell !== undefined) {
    await ringsLate(stage, kit.screen, kit.ringDoorbell);
  }
  if (kit.asks !== undefined) await waitsForUser(stage, kit, kit.asks);
  if (kit.bell !== undefined) await rings(stage, kit.bell);
}

/** The part with a screen alone, of a program that is slow to start. */
export async function playScreen(stage: Stage, kit: MeshKit, screen: OpenScreen): Promise<void> {
  await kit.furnish(stage);
  await steps.fillDaemon(stage);
  await steps.install(stage, "--agents", ...kit.installFlags);
  await wakes(stage, screen);
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

/** One doorbell brings all that waits; those behind it find nothing. */
async function ringsLate(
  stage: Stage,
  open: OpenScreen,
  ringDoorbell: NonNullable<MeshKit["ringDoorbell"]>,
): Promise<void> {
  stage.model.script = sayPlainly;
  const { screen, reach } = await opened(stage, open, "CURLEW: hello");
  await using _screen = screen;
  await stage.check(
    "a doorbell that finds no message costs no turn, and the next message wakes",
    async () => {
      const idle = await reach("idle");
      assert(idle?.status === "idle", await screen.text());
      stage.model.requests.length = 0;
      const since = new Date();
      for (let i = 0; i < 2; i++) steps.succeeded(await ringDoorbell(stage, idle.key));
      const prompts = async () =>
        (await hookRuns(stage.at(".local/state/signet/codex/hook.log"), since)).filter(({ event }) =>
          event === "user-prompt-submit"
        ).length;
      assertEquals(await poll(prompts, (count) => count >= 2), 2, await screen.text());
      steps.succeeded(await stage.connector("send", "--as", "person", handleOf(idle), "CURLEW-MESSAGE"));
      const turns = () => stage.model.requests.filter(offersTools);
      const requests = await poll(() => Promise.resolve(turns()), (found) => found.length > 0);
      assertEquals((await reach("idle"))?.status, "idle", await screen.text());
      assertEquals(turns().length, 1, await screen.text());
      assertEquals(steps.occurrences(requests[0]?.raw ?? "", "CURLEW-MESSAGE"), 1, await screen.text());
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
  const reach = (status: string, ms?: number) =>
    poll(() => Promise.resolve(mine()), (session) => session?.status === status, ms);
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
    // A program may ignore a key that comes right after its question.
    const answer = async () => {
      if ((await screen.text()).includes(question)) await screen.press(key);
      return await reach("idle", 5_000);
    };
    assertEquals(
      (await poll(answer, (session) => session?.status === "idle"))?.status,
      "idle",
      await screen.text(),
    );
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
