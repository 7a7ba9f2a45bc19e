import { describeDropped } from "../../../../hooks/spool/dropped.ts";
import { flush, type FlushReport } from "../../../../hooks/spool/flush.ts";
import { loadSettings } from "../../../../hooks/daemon/settings.ts";
import { commandLine } from "../command_line.ts";
import { type Context, EXIT, type Outcome } from "../command.ts";

/** Ends sessions that were killed, and delivers the events on disk, ignoring circuit breaker and back-off. */
export async function run(context: Context): Promise<Outcome> {
  const { ui, host } = context;
  const rebind = context.flags.on("rebind");
  const all = context.harnesses.length ? context.harnesses : context.known;
  const reports: (FlushReport & { harness: string })[] = [];
  for (const harness of all) {
    const settings = loadSettings(harness.id, host);
    const report = await ui.during(
      `Delivering to ${settings.url}`,
      flush(settings, { host, rebind, profile: harness }),
    );
    reports.push({ harness: harness.id, ...report });
    const name = all.length > 1 ? `${harness.displayName}: ` : "";
    for (const dropped of report.dropped) ui.warn(`${name}${describeDropped(dropped)}.`);
    if (report.kept === 0 && report.rejected === 0) {
      ui.ok(`${name}${report.sent === 0 ? "No events were waiting" : `Delivered ${events(report.sent)}`}`);
    } else {
      ui.warn(
        `${name}Delivered ${
          events(report.sent)
        }; ${report.kept} still waiting, ${report.rejected} rejected.` +
          (report.reason ? ` ${report.reason}` : ""),
      );
      if (report.elsewhere) {
        const command = commandLine(context, harness.id)("flush --rebind");
        ui.next(`Has the daemon moved? To deliver them to ${settings.url}, run: ${ui.bold(command)}`);
      }
    }
  }
  const clean = reports.every(({ kept, rejected }) => kept === 0 && rejected === 0);
  return { code: clean ? EXIT.ok : EXIT.degraded, data: reports.length === 1 ? reports[0] : reports };
}

function events(count: number): string {
  return count === 1 ? "1 event" : `${count} events`;
}
