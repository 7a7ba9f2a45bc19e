import { home, stateDir } from "../../../hooks/state/paths.ts";
import { findProgram } from "../programs/find_program.ts";
import type { Harness } from "../harness.ts";
import { ledgerPath } from "../install/ledger.ts";
import { type Context, EXIT, UserError } from "./command.ts";

/** Whether a harness is on this machine: its directory, a record of our install, or its program on PATH. */
export function isThere(harness: Harness, host: Context["host"]): boolean {
  const base = home(host);
  if (base === undefined) return false;
  const state = stateDir(harness.id, host);
  const places = [harness.configDir({ host, home: base }), ...state ? [ledgerPath(state)] : []];
  for (const place of places) {
    try {
      Deno.statSync(place);
      return true;
    } catch {
      // not there, or not to be looked at: the same to us
    }
  }
  return findProgram(harness.programs, host) !== undefined;
}

/**
 * The harnesses that were named, or all: with `found`, all that are on this
 * machine. A command that writes wants to be told which.
 */
export function someHarnesses(context: Context, all: "found" | "known"): readonly Harness[] {
  const { harnesses, known, flags, host, command, binary } = context;
  if (harnesses.length > 0) return harnesses;
  if (command.action !== "read" && !flags.on("all")) {
    throw new UserError(
      `Which harness? Name one or more, or --all.`,
      EXIT.usage,
      `${binary} ${command.id} ${known.map(({ id }) => id).join("|")}`,
    );
  }
  return all === "known" ? known : known.filter((harness) => isThere(harness, host));
}
