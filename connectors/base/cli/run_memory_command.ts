import { loadSettings } from "../../../hooks/daemon/settings.ts";
import type { MemoryOutcome } from "../memory/commands.ts";
import { openDaemon } from "../memory/connect.ts";
import type { MemoryDaemon } from "../memory/daemon.ts";
import type { Context, Outcome } from "./command.ts";
import { memoryHarness } from "./selected_harnesses.ts";

/** Runs `remember` or `recall` with the settings of the selected harness and prints the outcome. */
export async function runMemoryCommand(
  context: Context,
  command: (daemon: MemoryDaemon, binary: string) => Promise<MemoryOutcome>,
): Promise<Outcome> {
  const { ui, host, binary } = context;
  const { id, sharesEnvironment: projectFirst } = memoryHarness(context);
  const cwd = Deno.cwd();
  const settings = loadSettings(id, host, {}, { cwd, projectFirst });
  const daemon = openDaemon(settings, { cwd, host });
  const outcome = await ui.during(`Contacting ${settings.url}`, command(daemon, binary));
  ui[outcome.mark](outcome.text);
  if (outcome.block) ui.block(outcome.block);
  if (outcome.next) (outcome.mark === "fail" ? ui.hint : ui.next)(outcome.next);
  return { code: outcome.code, data: outcome.data };
}
