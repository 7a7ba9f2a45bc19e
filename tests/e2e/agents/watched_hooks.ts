/** Which hooks a program starts for a tool call: our program is wrapped, and each of its starts is counted. */
import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import type { LockKit } from "./locks.ts";
import type { Turn } from "../model/turn.ts";
import type { Stage } from "../stage.ts";

/** How often the hooks around tool calls have started. */
interface Starts {
  readonly before: number;
  readonly after: number;
}

/** A tool call, and the starts when the model made it and when it had the result. */
export interface WatchedCall {
  readonly call: NonNullable<Turn["tool"]>;
  readonly isQuiet: boolean;
  before?: Starts;
  after?: Starts;
}

function logPath(stage: Stage): string {
  return stage.at("hook_starts.log");
}

/** Puts a script in the place of the installed program: it notes the arguments, and becomes the program. */
export async function watchHooks(stage: Stage): Promise<void> {
  const installed = stage.at(`.local/bin/${stage.scenario.harness.binary}`);
  const moved = `${installed}.watched`;
  await Deno.rename(installed, moved);
  const script = `#!/bin/sh\necho "$1 $2" >> '${logPath(stage)}'\nexec '${moved}' "$@"\n`;
  await Deno.writeTextFile(installed, script, { mode: 0o755 });
}

/** A program waits for the hook before a tool call, so this is exact when the next model request arrives. */
export function hooksRun(stage: Stage): Starts {
  let lines: string[] = [];
  try {
    lines = Deno.readTextFileSync(logPath(stage)).split("\n");
  } catch {
    // None has started.
  }
  const count = (event: string) => lines.filter((line) => line === `hook ${event}`).length;
  return { before: count("pre-tool"), after: count("post-tool") };
}

export async function quietCalls(stage: Stage, { reading, mcp = [] }: LockKit): Promise<WatchedCall[]> {
  if (reading === undefined) return [];
  const path = join(stage.project, "to-read.txt");
  await Deno.writeTextFile(path, "line one\n");
  return [
    ...reading(path, stage.project).map((call) => ({ call, isQuiet: true })),
    ...mcp.map((call) => ({ call, isQuiet: false })),
  ];
}

export async function judgeQuiet(stage: Stage, calls: readonly WatchedCall[]): Promise<void> {
  for (const { call, isQuiet, before, after } of calls) {
    const title = isQuiet ? "no hook before it, and one after it" : "a hook before it, as for any other tool";
    await stage.check(`${call.name}: ${title}`, () => {
      assert(before !== undefined && after !== undefined, "the model did not call it");
      assertEquals(after.before - before.before, isQuiet ? 0 : 1);
      if (isQuiet) assertEquals(after.after - before.after, 1);
    });
  }
}
