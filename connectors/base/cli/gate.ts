import type { Surroundings } from "../../../hooks/state/paths.ts";
import { type Command, EXIT, type Mode, MODES, UserError } from "./command.ts";
import type { Parsed } from "./parse.ts";

/**
 * The mode of this call, refused before anything is read or written if the
 * command needs a higher one. The environment can lower it, and a flag cannot
 * lift it above what the environment allows.
 */
export function gate(parsed: Parsed, command: Command, host: Surroundings, binary: string): Mode {
  const ceiling = host.env("SIGNET_CONNECTOR_MODE");
  const asked = parsed.flags.text("mode");
  const known = (text: string | undefined) => MODES.find((mode) => mode === text);
  if (ceiling !== undefined && ceiling !== "" && !known(ceiling)) {
    throw new UserError(
      `SIGNET_CONNECTOR_MODE is one of ${MODES.join(", ")}, not ${ceiling}.`,
      EXIT.usage,
      "unset SIGNET_CONNECTOR_MODE, or set it to one of these",
    );
  }
  const wanted = known(asked) ?? known(ceiling) ?? "write";
  const limit = known(ceiling) ?? "admin";
  const mode = MODES.indexOf(wanted) > MODES.indexOf(limit) ? limit : wanted;
  const lifts = command.flags.find((flag) => flag.mode && parsed.flags.on(flag.name));
  const needed = lifts?.mode ?? command.mode;
  if (MODES.indexOf(needed) > MODES.indexOf(mode)) {
    const words = command.id.replace(".", " ") + (lifts ? ` --${lifts.name}` : "");
    throw new UserError(
      `${words} needs mode ${needed}, and this call has ${mode}. Nothing was changed.`,
      EXIT.refused,
      limit === mode && ceiling
        ? `SIGNET_CONNECTOR_MODE is ${ceiling}`
        : `${binary} ${words} --mode ${needed}`,
    );
  }
  return mode;
}
