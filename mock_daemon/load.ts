import { newKey, serve } from "./mod.ts";

/** The results of a load run. */
export interface Figures {
  readonly requests: number;
  readonly errors: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** The share of one core that the daemon used; absent where the system does not report it. */
  readonly cpu?: number;
  /** Resident memory of the daemon in MB, sampled over the run. */
  readonly rss: readonly number[];
}

const TRANSCRIPT = "User: where is the billing code?\nAssistant: In services/billing, as before.\n".repeat(
  30,
);

/** Endless sessions, one after the other: a start, prompts, an end. */
function* traffic(): Generator<{ path: string; body: Record<string, unknown> }> {
  for (let session = 0;; session++) {
    const hook = {
      harness: ["pyagent", "claude-code", "codex"][session % 3],
      agentId: `agent-${session % 5}`,
      sessionKey: `load-${session}`,
      runtimePath: "legacy",
    };
    const project = `/home/u/project-${session % 7}`;
    yield { path: "/api/hooks/session-start", body: { ...hook, project } };
    yield {
      path: "/api/memory/remember",
      body: { content: `Service number ${session % 50} uses Postgres.` },
    };
    for (let turn = 0; turn < 7; turn++) {
      yield {
        path: "/api/hooks/user-prompt-submit",
        body: { ...hook, project, userMessage: `what of Postgres in turn ${turn}?` },
      };
    }
    yield { path: "/api/hooks/session-end", body: { ...hook, cwd: project, transcript: TRANSCRIPT } };
  }
}

/** The CPU seconds a process has used. Linux counts in hundredths. */
function cpuSeconds(pid: number): number {
  try {
    const fields = Deno.readTextFileSync(`/proc/${pid}/stat`).split(") ")[1]?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return NaN;
  }
}

/** Sends `rate` requests per second at an even pace, without waiting for responses. */
export async function load(url: string, key: string, rate: number, seconds: number): Promise<Figures> {
  const latencies: number[] = [];
  const rss: number[] = [];
  let errors = 0;
  const send = async ({ path, body }: { path: string; body: unknown }) => {
    const started = performance.now();
    try {
      const response = await fetch(`${url}${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify(body),
      });
      await response.json();
      if (!response.ok) errors++;
    } catch {
      errors++;
    }
    latencies.push(performance.now() - started);
  };
  const sample = async () => {
    const health = await (await fetch(`${url}/health`)).json();
    rss.push(Math.round(health.resources.memory / 1e5) / 10);
    return cpuSeconds(health.pid);
  };
  const requests = traffic();
  const pending = new Set<Promise<void>>();
  const total = rate * seconds;
  const begun = performance.now();
  const cpuBefore = await sample();
  for (let sent = 0; sent < total;) {
    const due = Math.min(total, Math.ceil((performance.now() - begun) / 1000 * rate));
    for (; sent < due; sent++) {
      const request = requests.next().value;
      if (request === undefined) break;
      const answered = send(request).finally(() => pending.delete(answered));
      pending.add(answered);
      if (sent % Math.ceil(total / 6) === 0) await sample();
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await Promise.all(pending);
  const elapsed = (performance.now() - begun) / 1000;
  const cpu = (await sample() - cpuBefore) / elapsed;
  latencies.sort((a, b) => a - b);
  const at = (share: number) => Math.round((latencies[Math.floor(latencies.length * share)] ?? 0) * 10) / 10;
  return {
    requests: latencies.length,
    errors,
    perSecond: Math.round(latencies.length / elapsed),
    p50: at(0.5),
    p99: at(0.99),
    max: at(0.9999),
    cpu: Number.isNaN(cpu) ? undefined : Math.round(cpu * 100) / 100,
    rss,
  };
}

/** `load.ts daemon` runs the daemon in its own process, so that only its memory is measured. */
async function main(): Promise<void> {
  const [role, rate = "200", seconds = "60"] = Deno.args;
  const key = Deno.env.get("SIGNET_LOAD_KEY") ?? newKey();
  if (role === "daemon") {
    console.log(serve({ auth: "team", adminKey: key }).url);
    return;
  }
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", new URL(import.meta.url).pathname, "daemon"],
    env: { SIGNET_LOAD_KEY: key },
    stdout: "piped",
  }).spawn();
  const { value } = await child.stdout.pipeThrough(new TextDecoderStream()).getReader().read();
  const figures = await load((value ?? "").trim(), key, Number(rate), Number(seconds));
  child.kill("SIGTERM");
  await child.status;
  console.log(JSON.stringify(figures, null, 2));
  if (figures.errors > 0) Deno.exit(1);
}

if (import.meta.main) await main();
