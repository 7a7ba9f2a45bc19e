import type { Harness } from "../harness.ts";
import type { Context } from "./command.ts";

/** A command of this binary for this harness; signet-connect has to be told which. */
export function commandLine(
  { binary, known }: Pick<Context, "binary" | "known">,
  harness: string,
): (command: string) => string {
  return (command) => `${binary} ${command}${known.length > 1 ? ` ${harness}` : ""}`;
}

/** What a descriptor says of its own binary (`signet-codex install --trust-hooks`), in the words of this one. */
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
