import { parseArgs } from "@std/cli/parse-args";
import { fromFileUrl } from "@std/path";
import { boardTargets } from "./bench/board.ts";
import { benchCases } from "./bench/cases.ts";
import { BenchDaemon } from "./bench/daemon.ts";
import { growth } from "./bench/growth.ts";
import { historySearch } from "./bench/history.ts";
import { largeConfigs } from "./bench/large_configs.ts";
import { mcpStart, mcpStartLimit } from "./bench/mcp_start.ts";
import { monitorFrames } from "./bench/monitor_frames.ts";
import { makePrograms, type Programs } from "./bench/programs.ts";
import { type BenchCase, memory, time } from "./bench/run.ts";
import { formatTarget, isMet, shuffled, stats, type Target } from "./bench/stats.ts";
import { type Row, targets } from "./bench/targets.ts";
import { makeCertificates } from "../tests/worlds/certificates.ts";

const USAGE = `Usage: deno task bench [--rounds N] [--json FILE] [--hook BINARY --harness ID]

Compares a hook with the floor, the least work a compiled Deno program can do for a hook,
interleaved in one run; over https, with a floor over https. Times of curl and Node are printed for information. Builds
signet-pyagent unless --hook names a binary. Exits 1 if a ratio is above its limit.`;

/** The first rounds fill the page cache and are not counted. */
const WARM_UP = 5;
const RSS_RUNS = 5;
const MCP_ROUNDS = 15;
/** On a shared machine, medians of 40 rounds differ by a few percent by chance. */
const CLOSE_FACTOR = 4;

async function measure(list: readonly BenchCase[], rounds: number): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>(list.map(({ name }) => [name, []]));
  for (let round = -WARM_UP; round < rounds; round++) {
    for (const benchCase of shuffled(list)) {
      const ms = await time(benchCase);
      if (round >= 0) times.get(benchCase.name)?.push(ms);
    }
    progress(`round ${Math.max(0, round + 1)} of ${rounds}`);
  }
  progress("");
  return times;
}

async function rows(
  list: readonly BenchCase[],
  times: ReadonlyMap<string, number[]>,
  daemon: BenchDaemon,
): Promise<Row[]> {
  const result: Row[] = [];
  for (const benchCase of list) {
    const sizes: number[] = [];
    for (let i = 0; benchCase.waits && i < RSS_RUNS; i++) {
      sizes.push(await memory(benchCase, () => daemon.hold()));
    }
    const rssMb = sizes.length > 0 ? stats(sizes).median : undefined;
    result.push({ name: benchCase.name, ...stats(times.get(benchCase.name) ?? []), rssMb });
  }
  return result;
}

/** Measures how long the MCP server takes to start, compared with an empty program and the SDK alone. */
async function measureMcp(
  programs: Programs,
  home: string,
  rounds: number,
): Promise<{ rows: Row[]; target: Target }> {
  const env = { PATH: "/usr/bin:/bin", HOME: home };
  const plain = (name: string, program: string): BenchCase => ({
    name,
    argv: () => [program],
    env,
    stdin: () => "",
  });
  const runs: Record<string, { run: () => Promise<number>; times: number[] }> = {
    "empty program": { run: () => time(plain("empty program", programs.empty)), times: [] },
    "MCP SDK loaded": { run: () => time(plain("MCP SDK loaded", programs.mcpImport)), times: [] },
    "mcp, first answer": { run: () => mcpStart(programs.hooks[0] ?? "", ["mcp"], env), times: [] },
  };
  for (let round = 0; round < rounds; round++) {
    for (const { run, times } of shuffled(Object.values(runs))) times.push(await run());
  }
  const result = Object.entries(runs).map(([name, { times }]) => ({ name, ...stats(times) }));
  const median = (name: string) => result.find((row) => row.name === name)?.median ?? NaN;
  const limit = mcpStartLimit(median("empty program"), median("MCP SDK loaded"));
  const ratio = median("mcp, first answer") / limit;
  return {
    rows: result,
    target: { name: "mcp, first answer / (1.6 × empty program + SDK load time)", ratio, limit: 1 },
  };
}

/** The results of all cases. Ratios are of medians, to the floor. */
function table(list: readonly Row[]): string {
  const floor = list.find(({ name }) => name === "floor")?.median ?? NaN;
  const line = (name: string, ...cells: string[]) =>
    name.padEnd(40) + cells.map((cell) => cell.padStart(9)).join("");
  const ms = (value: number) => value.toFixed(1);
  return [
    line("ms", "min", "median", "p95", "× floor", "RSS MB"),
    ...list.map((row) =>
      line(
        row.name,
        ms(row.min),
        ms(row.median),
        ms(row.p95),
        (row.median / floor).toFixed(2),
        row.rssMb?.toFixed(0) ?? "",
      )
    ),
  ].join("\n");
}

function progress(text: string): void {
  if (Deno.stderr.isTerminal()) Deno.stderr.writeSync(new TextEncoder().encode(`\r\x1b[K${text}`));
}

/** Ends the drains that the hooks left running, which use our copies of the binary. */
function endDrains(work: string): void {
  for (const { name } of Deno.readDirSync("/proc")) {
    try {
      const isDrain = /^\d+$/.test(name) && Deno.readLinkSync(`/proc/${name}/exe`).startsWith(`${work}/`);
      if (isDrain) Deno.kill(Number(name), "SIGKILL");
    } catch {
      // Not accessible, or already gone.
    }
  }
}

async function main(args: string[], root: string): Promise<boolean> {
  const flags = parseArgs(args, { string: ["rounds", "json", "hook", "harness"], boolean: ["help"] });
  if (flags.help) {
    console.log(USAGE);
    return true;
  }
  const text = (name: string) => typeof flags[name] === "string" ? flags[name] : undefined;
  const rounds = Number(text("rounds") ?? 40);
  if (!(rounds >= 1)) throw new Error(`--rounds ${text("rounds")} is not a positive number.`);
  const work = await Deno.makeTempDir({ prefix: "signet-bench-" });
  const certificates = await makeCertificates().catch(() => {
    console.error("! There are no https rows: openssl could not make certificates.");
  });
  const daemon = new BenchDaemon(certificates ?? undefined);
  try {
    const programs = await makePrograms(root, work, {
      hook: text("hook"),
      harness: text("harness") ?? "pyagent",
    });
    const list = await benchCases(programs, daemon, work, certificates?.ca);
    const times = new Map([
      ...await measure(list.filter(({ isClose }) => !isClose), rounds),
      ...await measure(list.filter(({ isClose }) => isClose), rounds * CLOSE_FACTOR),
    ]);
    const measured = await rows(list, times, daemon);
    const mcp = text("hook") === undefined
      ? [await measureMcp(programs, work, Math.min(rounds, MCP_ROUNDS))]
      : [];
    const frames = await monitorFrames(root);
    const all = [...measured, ...mcp.flatMap((each) => each.rows), ...frames.rows];
    const limits = [
      ...targets(measured),
      ...mcp.map(({ target }) => target),
      ...await growth(),
      historySearch(),
      ...boardTargets(),
      ...await largeConfigs(),
      ...frames.targets,
    ];
    console.log(`${table(all)}\n\nRatios and their limits:\n${limits.map(formatTarget).join("\n")}`);
    const floor = measured.find(({ name }) => name === "floor");
    if (floor && floor.p95 > 2 * floor.median) {
      console.log(
        `! The machine was busy: the p95 of the floor is ${
          (floor.p95 / floor.median).toFixed(1)
        } times its median.`,
      );
    }
    const file = text("json");
    if (file !== undefined) {
      const [load1] = Deno.loadavg();
      const document = { rounds, load1, rows: all, targets: limits.map((t) => ({ ...t, met: isMet(t) })) };
      await Deno.writeTextFile(file, JSON.stringify(document, null, 2) + "\n");
    }
    return limits.every(isMet);
  } finally {
    endDrains(work);
    await daemon.close();
    await certificates?.[Symbol.asyncDispose]();
    await Deno.remove(work, { recursive: true }).catch(() => {});
  }
}

if (import.meta.main) {
  try {
    const met = await main(Deno.args, fromFileUrl(new URL("..", import.meta.url)).replace(/[\\/]$/, ""));
    Deno.exit(met ? 0 : 1);
  } catch (error) {
    console.error(`✗ ${error instanceof Error ? error.message : String(error)}`);
    Deno.exit(1);
  }
}
