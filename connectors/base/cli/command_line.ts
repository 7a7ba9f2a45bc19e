import type { Harness } from "../harness.ts";
import type { Context } from "./command.ts";

/** The command line for a harness; signet-connect needs the harness's name as an argument. */
export function commandLine(
  { binary, known }: Pick<Context, "binary" | "known">,
  harness: string,
): (command: string) => string {
  return (command) => `${binary} ${command}${known.length > 1 ? ` ${harness}` : ""}`;
}

/** Rewrites hints that name a harness's binary (`signet-codex install`) for the binary that is running. */
export function withThisBinary(
  context: Pick<Context, "binary" | "known">,
  harness: Harness,
  text: string,
): string {
  if (context.known.length === 1) return text;
  return text
    .replaceAll(`${harness.binary} install`, commandLine(context, harness.id)("install"))
    .replaceAll(harness.binary, context.binary);
}
