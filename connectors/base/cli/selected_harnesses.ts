import type { Harness } from "../harness.ts";
import { type Context, EXIT, UserError } from "./command.ts";
import { isPresent } from "./is_present.ts";

/**
 * The harnesses that were named, or else all of them; with `present`, all that are
 * on this machine. A command that writes needs names or --all.
 */
export function selectedHarnesses(context: Context, all: "present" | "known"): readonly Harness[] {
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

/** The harness of a command that takes exactly one. */
export function selectedHarness({ harnesses, binary, command, known }: Context): Harness {
  const [only, second] = harnesses;
  if (only && !second) return only;
  throw new UserError(
    `${command.id} needs a harness.`,
    EXIT.usage,
    `${binary} ${command.id} -H ${known.map(({ id }) => id).join("|")}`,
  );
}
