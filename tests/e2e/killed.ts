import { assertEquals, assertStringIncludes } from "@std/assert";
import { hasLostProgram } from "../../hooks/state/live_sessions.ts";
import { REPLY, sayPlainly } from "./model/turn.ts";
import type { Ran } from "./process.ts";
import { answeredSession, liveSessions, type Screen } from "./screen.ts";
import type { Stage } from "./stage.ts";
import * as steps from "./steps.ts";
import { poll } from "./watch.ts";

/** How a window goes away: closed, or its processes get a signal. */
const WAYS = ["closed window", "SIGTERM", "SIGKILL"] as const;
type Way = typeof WAYS[number];

export interface Windows {
  /** Opens a window of the harness and has a prompt answered in it. */
  open(prompt: string): Promise<Screen>;
  /** Asks something in another session, without a window. */
  ask(prompt: string): Promise<Ran>;
}

/** A window that goes away, however it does, ends its session: by itself, or at the next start. Once. */
export async function endsKilledSessions(
  stage: Stage,
  windows: Windows,
  ways: readonly Way[] = WAYS,
): Promise<void> {
  stage.model.script = sayPlainly;
  for (const way of ways) {
    const mark = `DIPPER-${way.replaceAll(" ", "-")}`;
    await stage.check(`a session ends once, with its transcript: ${way}, then the next start`, async () => {
      const key = await lose(stage, windows, way, mark);
      const ends = await endsAtNextStart(stage, key, () => windows.ask(`${mark}: next`));
      assertEquals(ends.length, 1);
      assertStringIncludes(String(ends[0]?.body.transcript), mark);
      assertStringIncludes(String(ends[0]?.body.transcript), REPLY);
    });
  }
  // How often a killed program ran the user's hooks is its own affair.
  await remove(stage.at("user_hook.log"));
}

async function lose(stage: Stage, windows: Windows, way: Way, mark: string): Promise<string> {
  await using screen = await windows.open(`${mark}: hello`);
  const key = await answeredSession(stage, mark);
  if (key === undefined) {
    const asked = stage.model.requests.filter(({ raw }) => raw.includes(mark)).length;
    throw new Error(`no answer on the screen, ${asked} requests to the model:\n${await screen.text()}`);
  }
  if (way === "closed window") await screen.close();
  else await screen.signal(way);
  return key;
}

/** The ends of a session once its program is gone and another one has started. */
export async function endsAtNextStart(stage: Stage, key: string, start: () => Promise<Ran>) {
  const live = liveSessions(stage);
  const find = () => Promise.resolve(live.list().find((session) => session.key === key));
  // A window may close before its program has ended.
  await poll(find, (session) => session?.caller === undefined || hasLostProgram(session));
  steps.succeeded(await start());
  return await poll(() => endsOf(stage, key), (ends) => ends.length > 0);
}

/** Removes a file if it is there. */
async function remove(path: string): Promise<void> {
  await Deno.remove(path).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
}

/** The session ends that the daemon got for a session. */
export async function endsOf(stage: Stage, key: string) {
  return (await stage.daemon.hooks()).filter(({ path, body }) =>
    path.endsWith("/session-end") && body.sessionKey === key
  );
}
