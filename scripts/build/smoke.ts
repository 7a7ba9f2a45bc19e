import type { Entry } from "./entries.ts";
import { type Ended, run } from "./run.ts";

// An npm import that cannot be resolved fails at run time only, so each door of the
// binary is opened once. Not a measure of speed: a loaded machine may take seconds.
const TIMEOUT_MS = 30_000;

/** Something the finished binary is made to do, and what is wrong with how it went. */
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

/** What an entry must answer before its build counts. */
export function probesOf(entry: Entry, version: string): Probe[] {
  const says: Probe = {
    args: ["--version"],
    wrong: (e) => e.stdout.includes(version) ? undefined : `does not say ${version}`,
  };
  if (entry.kind === "daemon") return [says];
  // signet-connect serves every harness, so it is told which.
  const which = entry.kind === "connect" ? ["-H", "pyagent"] : [];
  return [
    says,
    {
      args: ["hook", "--help"],
      wrong: (e) => e.stdout.includes("session-start") ? undefined : "does not name the session-start event",
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Runs every probe in a home of its own; throws at the first answer that is not right. */
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
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}
