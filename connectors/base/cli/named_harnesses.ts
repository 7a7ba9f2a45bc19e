import type { Harness } from "../harness.ts";
import { EXIT, UserError } from "./command.ts";
import type { Program } from "./main.ts";
import type { Parsed } from "./parse.ts";
import { suggestion } from "./suggestion.ts";

/** Which harnesses a call is about: the binary's one, or those named to signet-connect. */
export function namedHarnesses(
  program: Program,
  parsed: Parsed,
): { harnesses: readonly Harness[]; rest: string[] } {
  const only = program.harnesses.length === 1 ? program.harnesses[0] : undefined;
  const byName = (name: string) => {
    const found = program.harnesses.find((harness) => harness.id === name || harness.binary === name);
    if (found) return found;
    if (only) {
      throw new UserError(
        `${program.binary} is for ${only.displayName} alone, and was given ${name}.`,
        EXIT.usage,
        `${program.binary} ${parsed.command?.id.replace(".", " ") ?? ""} --help`,
      );
    }
    const ids = program.harnesses.map(({ id }) => id);
    const near = suggestion(name, ids);
    throw new UserError(
      `There is no harness ${name}.${near ? ` Did you mean ${near}?` : ""}`,
      EXIT.usage,
      `one of ${ids.join(", ")}`,
    );
  };
  const takesHarnesses = parsed.command?.args === undefined;
  const named = [...parsed.flags.list("harness"), ...takesHarnesses ? parsed.args : []];
  const chosen = named.map(byName);
  return { harnesses: only ? program.harnesses : chosen, rest: takesHarnesses ? [] : parsed.args };
}
