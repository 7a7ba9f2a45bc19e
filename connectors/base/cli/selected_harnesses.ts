import type { Harness } from "../harness.ts";
import { type Context, EXIT, UserError } from "./command.ts";
import { isPresent } from "./is_present.ts";

/**
 * The harnesses that were named, or all: with `found`, all that are on this
 * machine. A command that writes wants to be told which.
 */
export function selectedHarnesses(context: Context, all: "found" | "known"): readonly Harness[] {
  const { harnesses, known, flags, host, command, binary } = context;
  if (harnesses.length > 0) return harnesses;
  if (command.action !== "read" && !flags.on("all")) {
    throw new UserError(
      `Which harness? Name one or more, or --all.`,
      EXIT.usage,
      `${binary} ${command.id} ${known.map(({ id }) => id).join("|")}`,
    );
  }
  return all === "known" ? known : known.filter((harness) => isPresent(harness, host));
}

/** The harness of a command that is about exactly one. */
export function selectedHarness({ harnesses, binary, command, known }: Context): Harness {
  const [only, second] = harnesses;
  if (only && !second) return only;
  throw new UserError(
    `${command.id} needs to know which harness.`,
    EXIT.usage,
    `${binary} ${command.id} -H ${known.map(({ id }) => id).join("|")}`,
  );
}
