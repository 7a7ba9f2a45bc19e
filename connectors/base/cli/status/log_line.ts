import { stripControls } from "../../../../hooks/context_text/strip_controls.ts";
import type { HookCall } from "../commands/log.ts";
import type { Ui } from "../output/ui.ts";

/** One hook call as one line: time, harness, event, ms, outcome, characters given to the model. */
export function logLine(
  call: HookCall,
  { ui, many, now }: { ui: Pick<Ui, "dim">; many: boolean; now: Date },
): string {
  const notes = [
    call.chars === undefined ? undefined : `${call.chars} characters`,
    call.detail === undefined ? undefined : stripControls(call.detail).replaceAll("\n", " "),
    call.doctor ? "run by doctor" : undefined,
  ].filter((note) => note !== undefined);
  const columns = [
    time(new Date(call.at), now),
    ...many ? [call.harness.padEnd(11)] : [],
    call.event.padEnd(19),
    `${call.ms} ms`.padStart(8),
    notes.length > 0 ? call.outcome.padEnd(12) : call.outcome,
  ];
  return `${columns.join("  ")}${notes.length > 0 ? `  ${ui.dim(notes.join(", "))}` : ""}`;
}

/** Local time; with the date if it was another day. */
function time(at: Date, now: Date): string {
  // Swedish writes ISO dates: 2026-11-17 11:26:18.
  const [day = "", clock = ""] = at.toLocaleString("sv").split(" ");
  return day === now.toLocaleString("sv").split(" ")[0] ? clock : `${day} ${clock}`;
}
