import type { Harness } from "../harness.ts";
import { EXIT, UserError } from "./command.ts";
import type { Program } from "./main.ts";
import type { Parsed } from "./parse.ts";
import { suggestion } from "./suggestion.ts";

/** The harness with this id, program, binary or display name: `claude-code`, `claude`, `Claude Code`. */
export function harnessByName(harnesses: readonly Harness[], name: string): Harness | undefined {
  const plain = name.toLowerCase().replaceAll(/[ _]/g, "-");
  return harnesses.find(({ id, binary, programs, displayName }) =>
    [id, binary, ...programs, displayName.toLowerCase().replaceAll(" ", "-")].includes(plain)
  );
}

/** The harnesses of a call: the binary's only one, or those named on signet-connect's command line. */
export function namedHarnesses(
  program: Program,
  parsed: Parsed,
): { harnesses: readonly Harness[]; rest: string[] } {
  const only = program.harnesses.length === 1 ? program.harnesses[0] : undefined;
  const byName = (name: string) => {
    const harness = harnessByName(program.harnesses, name);
    if (harness) return harness;
    if (only) {
      throw new UserError(
        `${program.binary} only serves ${only.displayName}, not ${name}.`,
        EXIT.usage,
        `${program.binary} ${parsed.command?.id.replaceAll(".", " ") ?? ""} --help`,
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
