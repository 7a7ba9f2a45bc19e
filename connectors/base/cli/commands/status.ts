import { stopSignal } from "../../sync/stop_signal.ts";
import type { Context, Outcome } from "../command.ts";
import { verdictExitCode } from "../status/harness_report.ts";
import { printStatusDetails } from "../status/status_details.ts";
import { statusDocuments } from "../status/status_document.ts";
import { printStatusTable } from "../status/status_table.ts";
import { type StatusView, statusView } from "../status/status_view.ts";

/** Shows what is installed, the daemon, and when each hook last fired. */
export async function run(context: Context): Promise<Outcome> {
  const { flags, ui, known } = context;
  if (flags.on("watch")) return await watch(context);
  const view = await ui.during("Checking the harnesses", statusView(context));
  print(context, view);
  if (view.shown.length === 0) ui.warn("No harness was found on this machine.");
  const data = statusDocuments(view);
  const code = verdictExitCode(context, view.shown.map(({ verdict }) => verdict));
  return { code, data: known.length === 1 ? data[0] : data };
}

function print(context: Context, { shown, forge }: StatusView): void {
  if (context.known.length === 1) shown.forEach((each) => printStatusDetails(context, each));
  else printStatusTable(context, shown, forge);
}

/** Refreshes every two seconds until it is stopped. */
async function watch(context: Context): Promise<Outcome> {
  const { ui } = context;
  using stop = stopSignal();
  const stopped = new Promise<undefined>((resolve) => {
    stop.signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  let view: StatusView | undefined;
  while (!stop.signal.aborted) {
    const next = await Promise.race([stopped, statusView(context, view)]);
    if (next === undefined) break;
    view = next;
    if (ui.interactive) ui.block("\x1b[H\x1b[2J");
    print(context, view);
    if (ui.interactive) ui.say(ui.dim("\nRefreshes every 2 s. Press Ctrl-C to stop."));
    let timer: number | undefined;
    await Promise.race([stopped, new Promise((resolve) => timer = setTimeout(resolve, 2_000))]);
    clearTimeout(timer);
  }
  return { code: stop.exitCode, data: view && statusDocuments(view) };
}
