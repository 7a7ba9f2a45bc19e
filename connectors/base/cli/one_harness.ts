import type { Harness } from "../harness.ts";
import { type Context, EXIT, UserError } from "./command.ts";

/** The harness of a command that is about exactly one. */
export function oneHarness({ harnesses, binary, command, known }: Context): Harness {
  const [only, second] = harnesses;
  if (only && !second) return only;
  throw new UserError(
    `${command.id} needs to know which harness.`,
    EXIT.usage,
    `${binary} ${command.id} -H ${known.map(({ id }) => id).join("|")}`,
  );
}
