/** `<agents>/log.jsonl`: what the history is made from. */
export function agentLogPath(dir: string): string {
  return `${dir}/log.jsonl`;
}

/** One line per message, receipt or change of status. Never throws: the mesh works without a history. */
export function appendAgentLog(dir: string, record: { event: string } & Record<string, unknown>): void {
  try {
    using file = Deno.openSync(agentLogPath(dir), { append: true, create: true, mode: 0o600 });
    // One write of one line with O_APPEND: the lines of several processes do not mix.
    file.writeSync(new TextEncoder().encode(`${JSON.stringify({ at: Date.now(), ...record })}\n`));
  } catch {
    // The disk is full or read-only.
  }
}
