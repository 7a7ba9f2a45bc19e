/** The reason of a failed file operation, for a message. */
export function errorReason(error: unknown): string {
  if (error instanceof Deno.errors.PermissionDenied || error instanceof Deno.errors.NotCapable) {
    return "permission denied";
  }
  return error instanceof Error ? error.message.replace(/\s*\(os error \d+\)/, "") : String(error);
}
