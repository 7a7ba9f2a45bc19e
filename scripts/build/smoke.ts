import { isObject } from "../../hooks/json.ts";
import type { Entry } from "./entries.ts";
import { type Ended, run } from "./run.ts";

// An npm import that cannot be resolved fails only at run time, so run each entry point
// once. The timeout is generous because a loaded machine may take seconds.
const TIMEOUT_MS = 30_000;

/** A command to run with the finished binary, and a check of the result. */
export interface Probe {
  readonly args: readonly string[];
  readonly input?: string;
  wrong(ended: Ended): string | undefined;
}

const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "build", version: "0" } },
}) + "\n";

/** The probes that a build must pass. */
function probesOf(entry: Entry, version: string): Probe[] {
  if (entry.kind === "daemon") {
    return [{
      args: ["--help"],
      wrong: (e) => e.stdout.includes(entry.binary) ? undefined : `does not print ${entry.binary}`,
    }];
  }
  // signet-connect serves every harness, so name one.
  const which = entry.kind === "connect" ? ["-H", "pyagent"] : [];
  return [
    {
      args: ["--version"],
      wrong: (e) => e.stdout.includes(version) ? undefined : `does not print ${version}`,
    },
    {
      args: ["hook", "--help"],
      wrong: (e) => e.stdout.includes("session-start") ? undefined : "does not print the session-start event",
    },
    { args: ["mcp", ...which], input: INITIALIZE, wrong: (e) => initialized(e.stdout) },
  ];
}

function initialized(stdout: string): string | undefined {
  const line = stdout.split("\n")[0] ?? "";
  let answer: unknown;
  try {
    answer = JSON.parse(line);
  } catch {
    return "does not answer initialize with a line of JSON";
  }
  const result = isObject(answer) && answer.id === 1 ? answer.result : undefined;
  return isObject(result) && "serverInfo" in result
    ? undefined
    : "does not answer initialize with its serverInfo";
}

/** Runs every probe in a temporary home; throws at the first failure. */
export async function smoke(binary: string, entry: Entry, version: string): Promise<void> {
  const home = await Deno.makeTempDir({ prefix: "signet-smoke-" });
  const env: Record<string, string> = { HOME: home, NO_COLOR: "1", SIGNET_DAEMON_URL: "http://127.0.0.1:9" };
  for (const name of ["PATH", "SystemRoot", "TEMP", "TMPDIR"]) {
    const value = Deno.env.get(name);
    if (value !== undefined) env[name] = value;
  }
  try {
    for (const probe of probesOf(entry, version)) {
      const ended = await run(binary, probe.args, {
        cwd: home,
        env,
        clearEnv: true,
        input: probe.input ?? "",
        timeoutMs: TIMEOUT_MS,
      });
      const wrong = ended.late
        ? `did not end in ${TIMEOUT_MS / 1000} s`
        : ended.code !== 0
        ? `ended with code ${ended.code}`
        : probe.wrong(ended);
      if (wrong) {
        const printed = [ended.stdout, ended.stderr].map((t) => t.trim()).filter((t) => t).join("\n");
        throw new Error(
          `${entry.binary} ${probe.args.join(" ")} ${wrong}. It printed:\n${printed || "(nothing)"}`,
        );
      }
    }
    if (entry.kind === "daemon") await startDaemon(binary, home, env);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

/** Starts the daemon on a free port, checks its health, and stops it. */
async function startDaemon(binary: string, home: string, env: Record<string, string>): Promise<void> {
  const child = new Deno.Command(binary, {
    args: ["--port", "0", "--db", `${home}/daemon.db`],
    cwd: home,
    env,
    clearEnv: true,
    stdout: "piped",
    stderr: "inherit",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).spawn();
  try {
    const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    const url = ((await reader.read()).value ?? "").trim();
    await reader.cancel();
    if (!/^http:\/\/127\.0\.0\.1:\d+$/.test(url)) throw new Error(`it printed "${url}", not its URL`);
    const health = await fetch(`${url}/health`);
    await health.body?.cancel();
    if (!health.ok) throw new Error(`/health answered ${health.status}`);
    child.kill("SIGTERM");
    const { code } = await child.status;
    if (code !== 0 && Deno.build.os !== "windows") {
      throw new Error(`it ended with code ${code} after SIGTERM`);
    }
  } catch (err) {
    stop(child);
    throw new Error(`${binary} --port 0 does not run: ${err instanceof Error ? err.message : err}.`);
  }
}

function stop(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch (err) {
    // It has already ended.
    if (!(err instanceof TypeError)) throw err;
  }
}
