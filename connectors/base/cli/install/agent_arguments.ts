import type { Harness } from "../../harness.ts";
import { type Context, EXIT, UserError } from "../command.ts";

/** The ID of `agent set ID`. */
export function agentArgument({ args, command, binary }: Context): string {
  const [id, ...more] = args;
  const typed = `${binary} ${command.id.replaceAll(".", " ")}`;
  if (id === undefined) throw new UserError("Which agent?", EXIT.usage, `${typed} ID`);
  if (more.length > 0) {
    throw new UserError(
      `There is one agent at a time, and ${more.join(" ")} is left over.`,
      EXIT.usage,
      typed,
    );
  }
  return id;
}

/** The harnesses of an agent command: signet-connect needs -H. */
export function agentHarnesses({ harnesses, binary, command, known }: Context): readonly Harness[] {
  if (harnesses.length > 0) return harnesses;
  throw new UserError(
    "Which harness? Each has agents of its own.",
    EXIT.usage,
    `${binary} ${command.id.replaceAll(".", " ")} ID -H ${known.map(({ id }) => id).join("|")}`,
  );
}
