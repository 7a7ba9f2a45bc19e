import type { AgentDesk } from "../agents/desk.ts";
import type { Answer, MemoryDaemon } from "../memory/daemon.ts";
import { missingGroups } from "./missing_groups.ts";
import { createServer, type Write } from "./server.ts";
import { StdioTransport } from "./stdio.ts";
import type { Group } from "./tool.ts";
import type { McpMode } from "./tools.ts";

export interface SessionOptions {
  readonly daemon: MemoryDaemon;
  /** The binary's name, for hints to the user: `signet-pyagent`. */
  readonly binary: string;
  readonly version: string;
  readonly mode: McpMode;
  /** The project, which is where harnesses start MCP servers. */
  readonly project?: string;
  /** The agent mesh, if the harness was installed with it: its messages are received while the server runs. */
  readonly agents?: AgentDesk;
  /** Whether the daemon hung a moment ago: it is then not asked which tools it supports. */
  hanging?(): boolean;
  /** Logs a write. */
  audit(write: Write): void;
  readonly stdin?: ReadableStream<Uint8Array>;
  readonly stdout?: WritableStream<Uint8Array>;
  /** Writes a line for people; stdout carries the protocol. */
  log?(line: string): void;
  /** Calls `stop` on a termination signal; returns a function that stops listening. */
  onSignal?(stop: () => void): () => void;
}

/** How long pending requests may take after the end of input, or after a signal. */
const GRACE_MS = { input: 5000, signal: 500 };

/**
 * Serves the tools until the client closes stdin or a signal arrives. Resolves
 * when no request is pending; the caller must then exit, because a pending read
 * from stdin would keep the process alive.
 */
export async function serveTools(options: SessionOptions): Promise<void> {
  const log = options.log ?? ((line) => console.error(line));
  const transport = new StdioTransport(
    options.stdin ?? Deno.stdin.readable,
    options.stdout ?? Deno.stdout.writable,
  );
  let stopWaiting: (answer: Answer) => void = () => {};
  const stopping = new Promise<Answer>((resolve) => stopWaiting = resolve);
  const { agents } = options;
  const missing = once(async () => {
    const lacking = options.hanging?.() ? new Set<Group>() : await missingWithNotice(options.daemon, log);
    // On one machine agents need no daemon.
    const others = [...lacking].filter((group) => agents === undefined || group !== "agents");
    return new Set<Group>(agents === undefined ? [...others, "mesh"] : others);
  });
  const server = createServer({
    context: { daemon: options.daemon, binary: options.binary, project: options.project, stopping, agents },
    mode: options.mode,
    version: options.version,
    missing,
    audit: options.audit,
    afterAnswer: (request, done) => transport.afterAnswer(request, done),
  });
  // Starts while the client is still initializing, so that listing the tools need not wait.
  server.oninitialized = () => void missing();
  server.onerror = (error) => log(`signet mcp: ${error.message}`);

  let grace = GRACE_MS.input;
  const unlisten = (options.onSignal ?? onSignal)(() => {
    grace = GRACE_MS.signal;
    transport.stop();
  });
  await server.connect(transport);
  const receiving = new AbortController();
  const received = agents?.receive(receiving.signal, log);
  await transport.ended;
  await transport.idle(grace);
  // A store that is still waiting for the daemon is saved on disk now.
  stopWaiting({ kind: "timeout", ms: 0 });
  await transport.idle(GRACE_MS.signal);
  receiving.abort();
  await received;
  unlisten();
  await server.close();
}

/** The groups that the daemon lacks, reported once on stderr. */
async function missingWithNotice(
  daemon: MemoryDaemon,
  log: (line: string) => void,
): Promise<ReadonlySet<Group>> {
  const missing = await missingGroups(daemon);
  if (missing.size > 0) {
    const groups = [...missing].join(" and ");
    log(`signet mcp: the daemon at ${daemon.url} does not offer ${groups}; these tools are not listed.`);
  }
  return missing;
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => made ??= make();
}

/** Claude Code stops its servers with SIGINT, Codex with SIGTERM. */
function onSignal(stop: () => void): () => void {
  const signals: Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT"] : ["SIGINT", "SIGTERM"];
  for (const signal of signals) Deno.addSignalListener(signal, stop);
  return () => signals.forEach((signal) => Deno.removeSignalListener(signal, stop));
}
