import { loadSettings } from "../../../hooks/daemon/settings.ts";
import { openDaemon } from "../memory/connect.ts";
import type { MemoryDaemon } from "../memory/daemon.ts";
import type { MemoryOutcome } from "../memory/commands.ts";
import type { Context, Outcome } from "./command.ts";
import { oneHarness } from "./one_harness.ts";

export function memoryDaemon(context: Context): MemoryDaemon {
  const settings = loadSettings(oneHarness(context).id, context.host);
  return openDaemon(settings, { cwd: Deno.cwd(), host: context.host });
}

/** Prints what a memory command came to. */
export function tell({ ui }: Context, outcome: MemoryOutcome): Outcome {
  ui[outcome.mark](outcome.text);
  if (outcome.block) ui.block(outcome.block);
  if (outcome.next) (outcome.mark === "fail" ? ui.hint : ui.next)(outcome.next);
  return { code: outcome.code, data: outcome.data };
}
