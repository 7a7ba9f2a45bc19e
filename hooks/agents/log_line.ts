/** `<agents>/log.jsonl`: what the history is made from. */
export function agentLogPath(dir: string): string {
  return `${dir}/log.jsonl`;
}

/** Where a log is put aside, for seconds at least, so that every reader gets its last lines. */
export function oldLogPath(dir: string): string {
  return `${agentLogPath(dir)}.1`;
}

/** A log of this size is put aside once its lines are in the history; `monitor` shows what is in the log. */
export const MAX_AGENT_LOG = 32 * 1024 * 1024;

export function isAgentLogLarge(dir: string): boolean {
  try {
    return Deno.statSync(agentLogPath(dir)).size >= MAX_AGENT_LOG;
  } catch {
    return false;
  }
}

/** One line per message, receipt or change of status. Never throws: the mesh works without a history. */
export function appendAgentLog(dir: string, record: { event: string } & Record<string, unknown>): void {
  const line = new TextEncoder().encode(`${JSON.stringify({ at: Date.now(), ...record })}\n`);
  try {
    // A log that was put aside and removed between our opening and writing took the line with it.
    if (!append(dir, line)) append(dir, line);
  } catch {
    // The disk is full or read-only.
  }
}

/** False if the file has been removed meanwhile. */
function append(dir: string, line: Uint8Array): boolean {
  using file = Deno.openSync(agentLogPath(dir), { append: true, create: true, mode: 0o600 });
  // One write of one line with O_APPEND: the lines of several processes do not mix.
  file.writeSync(line);
  return file.statSync().nlink !== 0;
}
