import type { Surroundings } from "../../../hooks/state/paths.ts";
import { type Command, EXIT, type Mode, MODES, UserError } from "./command.ts";
import type { Parsed } from "./parse.ts";

/**
 * The mode of this call. A command that needs a higher one is refused before
 * anything is read or written. SIGNET_CONNECTOR_MODE sets a limit that the flag
 * cannot exceed.
 */
export function gate(parsed: Parsed, command: Command, host: Surroundings, binary: string): Mode {
  const ceiling = host.env("SIGNET_CONNECTOR_MODE");
  const requested = parsed.flags.text("mode");
  const known = (text: string | undefined) => MODES.find((mode) => mode === text);
  if (ceiling !== undefined && ceiling !== "" && !known(ceiling)) {
    throw new UserError(
      `SIGNET_CONNECTOR_MODE must be one of ${MODES.join(", ")}, not ${ceiling}.`,
      EXIT.usage,
      "unset SIGNET_CONNECTOR_MODE, or set it to one of these",
    );
  }
  const wanted = known(requested) ?? known(ceiling) ?? "write";
  const limit = known(ceiling) ?? "admin";
  const mode = MODES.indexOf(wanted) > MODES.indexOf(limit) ? limit : wanted;
  const stricter = command.flags.find((flag) => flag.mode && parsed.flags.on(flag.name));
  const needed = stricter?.mode ?? command.mode;
  if (MODES.indexOf(needed) > MODES.indexOf(mode)) {
    const words = command.id.replaceAll(".", " ") + (stricter ? ` --${stricter.name}` : "");
    throw new UserError(
      `${words} needs mode ${needed}, but this call has mode ${mode}. Nothing was changed.`,
      EXIT.refused,
      limit === mode && ceiling
        ? `SIGNET_CONNECTOR_MODE is ${ceiling}`
        : `${binary} ${words} --mode ${needed}`,
    );
  }
  return mode;
}
