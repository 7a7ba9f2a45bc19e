import { home, stateDir } from "../../../hooks/state/paths.ts";
import type { Harness } from "../harness.ts";
import { ledgerPath } from "../install/ledger/ledger.ts";
import { findProgram } from "../programs/find_program.ts";
import type { Context } from "./command.ts";

/** Whether a harness is on this machine: its directory, the ledger of an install, or its program on PATH. */
export function isPresent(harness: Harness, host: Context["host"]): boolean {
  const base = home(host);
  if (base === undefined) return false;
  const state = stateDir(harness.id, host);
  const places = [harness.configDir({ host, home: base }), ...state ? [ledgerPath(state)] : []];
  for (const place of places) {
    try {
      Deno.statSync(place);
      return true;
    } catch {
      // missing or unreadable: try the next place
    }
  }
  return findProgram(harness.programs, host) !== undefined;
}
