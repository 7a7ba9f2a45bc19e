import { home } from "../../../hooks/paths.ts";
import type { Harness } from "../harness.ts";
import { type Context, EXIT, UserError } from "./command.ts";

/** Whether a harness has its directory on this machine. */
export function isThere(harness: Harness, host: Context["host"]): boolean {
  const base = home(host);
  if (base === undefined) return false;
  try {
    return Deno.statSync(harness.configDir({ host, home: base })).isDirectory;
  } catch {
    return false;
  }
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
