/**
 * Whether another program fired this hook: Cursor and Continue read Claude Code's
 * settings too. Cursor sends fields that Claude Code does not have, and only Claude
 * Code keeps its transcripts in a directory `projects`.
 */
export function isForeign(input: Record<string, unknown>): boolean {
  if (["cursor_version", "generation_id", "workspace_roots"].some((key) => key in input)) return true;
  const transcript = input.transcript_path;
  return typeof transcript === "string" && transcript !== "" && !/[\\/]projects[\\/]/.test(transcript);
}
