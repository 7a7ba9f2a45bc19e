import { EXIT, UserError } from "./command.ts";

/** The error as it is shown to the user. Our own bugs, such as a TypeError, are not reported as user errors. */
export function asUserError(error: unknown): UserError | undefined {
  if (error instanceof UserError) return error;
  // By name, because importing its module would load the editing libraries.
  if (error instanceof Error && error.name === "PlanRefused") {
    return new UserError(error.message, EXIT.file, "Nothing was written. Fix the file and try again.");
  }
  if (error instanceof Error && error.name === "Error") return new UserError(error.message);
  if (isSystemError(error)) {
    return new UserError(
      `${withoutErrorNumber(error.message)}.`,
      EXIT.failed,
      "Check the owner and permissions of that path.",
    );
  }
  return undefined;
}

/** An error of the operating system, such as a missing permission; its message names the path. */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && Object.values(Deno.errors).some((kind) => error instanceof kind);
}

/** `Permission denied (os error 13): readdir '/x'` without the error number. */
function withoutErrorNumber(message: string): string {
  return message.replace(/ \(os error \d+\)/, "");
}
