import type { Answer, MemoryDaemon } from "../memory/daemon.ts";
import { missingGroups } from "./missing_groups.ts";
import { createServer, type Write } from "./server.ts";
import { StdioTransport } from "./stdio.ts";
import type { Group } from "./tool.ts";
import type { McpMode } from "./tools.ts";

export interface SessionOptions {
  readonly daemon: MemoryDaemon;
  /** The command that the user knows, for advice: `signet-pyagent`. */
  readonly binary: string;
  readonly version: string;
  readonly mode: McpMode;
  /** The project, which is where harnesses start MCP servers. */
  readonly project?: string;
  /** Accounts for a write. */
  audit(write: Write): void;
  readonly stdin?: ReadableStream<Uint8Array>;
  readonly stdout?: WritableStream<Uint8Array>;
  /** For people; stdout speaks the protocol. */
  say?(line: string): void;
  /** Calls `stop` when the process is asked to end; returns how to stop listening. */
  onSignal?(stop: () => void): () => void;
}

/** At the end of input, answers still under way get this long; a signal gives them less. */
const GRACE_MS = { input: 5000, signal: 500 };

/**
 * Serves the tools until the client closes its end, or a signal. Resolves when
 * nothing is under way any more; the caller then ends the process, because a
 * read from stdin that is still pending would keep it.
 */
export async function serveTools(options: SessionOptions): Promise<void> {
  const say = options.say ?? ((line) => console.error(line));
  const transport = new StdioTransport(
    options.stdin ?? Deno.stdin.readable,
    options.stdout ?? Deno.stdout.writable,
  );
  let leave: (answer: Answer) => void = () => {};
  const leaving = new Promise<Answer>((resolve) => leave = resolve);
  const missing = once(() => lacking(options.daemon, say));
  const server = createServer({
    context: { daemon: options.daemon, binary: options.binary, project: options.project, leaving },
    mode: options.mode,
    version: options.version,
    missing,
    audit: options.audit,
  });
  // Asked while the client is still busy with `initialize`, so that the list need not wait.
  server.oninitialized = () => void missing();
  server.onerror = (error) => say(`signet mcp: ${error.message}`);

  let grace = GRACE_MS.input;
  const unlisten = (options.onSignal ?? onSignal)(() => {
    grace = GRACE_MS.signal;
    transport.stop();
  });
  await server.connect(transport);
  await transport.ended;
  await transport.idle(grace);
  // A store that still waits for the daemon goes to disk now.
  leave({ kind: "timeout", ms: 0 });
  await transport.idle(GRACE_MS.signal);
  unlisten();
  await server.close();
}

/** What the daemon lacks, said once to whoever reads stderr. */
async function lacking(daemon: MemoryDaemon, say: (line: string) => void): Promise<ReadonlySet<Group>> {
  const missing = await missingGroups(daemon);
  if (missing.size > 0) {
    const groups = [...missing].join(" and ");
    say(`signet mcp: the daemon at ${daemon.url} does not offer ${groups}; these tools are not listed.`);
  }
  return missing;
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => made ??= make();
}

/** Claude Code ends its servers with SIGINT, Codex with SIGTERM. */
function onSignal(stop: () => void): () => void {
  const signals: Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT"] : ["SIGINT", "SIGTERM"];
  for (const signal of signals) Deno.addSignalListener(signal, stop);
  return () => signals.forEach((signal) => Deno.removeSignalListener(signal, stop));
}
