import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type ModelRequest, sayPlainly } from "./model/turn.ts";
import type { Ran } from "./process.ts";
import type { Stage } from "./stage.ts";
import * as steps from "./steps.ts";
import { poll } from "./watch.ts";

/** How often a request has the text that the daemon gives a session. */
export function memories(request: ModelRequest | undefined): number {
  return steps.occurrences(request?.raw ?? "", steps.SESSION_MARK);
}

/** Checks that an instruction file of the user, which has the word PELICAN, is in a request once. */
export async function userFileReached(
  stage: Stage,
  name: string,
  request: ModelRequest | undefined,
): Promise<void> {
  await stage.check(`the user's ${name} still reaches the model`, () => {
    assertEquals(steps.occurrences(request?.raw ?? "", "PELICAN"), 1);
  });
}

/** Resumes the last session with `ask`, and checks that the model has its memory once. */
export async function resumesWithMemory(stage: Stage, ask: (prompt: string) => Promise<Ran>): Promise<void> {
  stage.model.script = sayPlainly;
  stage.model.requests.length = 0;
  const resumed = await ask("WIGEON: and now?");
  await stage.check("in a resumed session the model has its memory once", () => {
    steps.answered(resumed);
    assertEquals(memories(stage.model.requests[0]), 1);
  });
}

/** Fails unless a compaction's prompt has what Signet wants kept, and none of its memories. */
export function compactionKept(stage: Stage): void {
  const prompt = stage.model.requests.find((request) => request.raw.includes(steps.COMPACTION_MARK));
  assert(prompt !== undefined, "no compaction request with Signet's words");
  assertEquals(memories(prompt), 0);
  assertEquals(steps.occurrences(prompt.raw, steps.PROMPT_MARK), 0);
}

/** Fails unless the daemon gets the end of a session once, with these words in its transcript. */
export async function endedOnce(
  stage: Stage,
  key: string | undefined,
  words: readonly string[],
): Promise<void> {
  const ends = await poll(
    async () =>
      (await stage.daemon.hooks()).filter(({ path, body }) =>
        path.endsWith("/session-end") && body.sessionKey === key
      ),
    (received) => received.length > 0,
  );
  assertEquals(ends.length, 1);
  for (const word of words) assertStringIncludes(String(ends[0]?.body.transcript), word);
}
