import { EXIT, UserError } from "./command.ts";

/** What a person reads of an error. A slip of ours, such as a TypeError, is not dressed up as theirs. */
export function asUserError(error: unknown): UserError | undefined {
  if (error instanceof UserError) return error;
  // By name: its module brings the editing libraries along, which `mcp` has no use for.
  if (error instanceof Error && error.name === "PlanRefused") {
    return new UserError(error.message, EXIT.file, "Nothing was written. Mend it and try again.");
  }
  if (error instanceof Error && error.name === "Error") return new UserError(error.message);
  if (ofTheSystem(error)) {
    return new UserError(
      `${sentence(error.message)}.`,
      EXIT.failed,
      "Check the owner and mode of what it names.",
    );
  }
  return undefined;
}

/** A file or directory that cannot be had, and no slip of ours: it names itself in its message. */
function ofTheSystem(error: unknown): error is Error {
  return error instanceof Error && Object.values(Deno.errors).some((kind) => error instanceof kind);
}

/** `Permission denied (os error 13): readdir '/x'` as a person would say it. */
function sentence(message: string): string {
  return message.replace(/ \(os error \d+\)/, "");
}
