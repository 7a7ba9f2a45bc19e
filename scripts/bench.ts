import { parseArgs } from "@std/cli/parse-args";
import { fromFileUrl } from "@std/path";
import { contestants, type Programs } from "./bench/contestants.ts";
import { BenchDaemon } from "./bench/daemon.ts";
import { type Contestant, memory, time } from "./bench/run.ts";
import { formatTarget, isMet, shuffled, type Stats, stats, type Target } from "./bench/stats.ts";
import { buildOne } from "./build/build_one.ts";
import { bundle } from "./build/bundle.ts";
import { compile } from "./build/compile.ts";
import { chooseEntries, listEntries } from "./build/entries.ts";
import { hostTarget } from "./build/targets.ts";
import { openWorkshop } from "./build/workshop.ts";

const USAGE = `Usage: deno task bench [--rounds N] [--json FILE] [--hook BINARY --harness ID]

Compares a hook with the least that a compiled Deno program can do, with curl and
with Node, interleaved in one run. Builds signet-pyagent unless --hook names a binary.`;

interface Row extends Stats {
  readonly name: string;
  readonly rssMb?: number;
}

/** The first rounds fill the page cache, and do not count. */
const WARM_UP = 5;
const RSS_RUNS = 5;

async function programs(
  root: string,
  work: string,
  hook: string | undefined,
  harness: string,
): Promise<Programs> {
  const shop = await openWorkshop(root, `${root}/dist`, hostTarget(), false);
  const [entry] = chooseEntries(listEntries(root), ["pyagent"]);
  const built = hook ?? (entry === undefined ? undefined : (await buildOne(entry, shop)).path);
  if (built === undefined) {
    throw new Error("There is no connectors/pyagent to build; name a binary with --hook.");
  }
  const files = await bundle(root, "scripts/bench/floor.ts", shop.npmCache);
  const named = new Map([...files].map(([name, text]) => [name === "floor.js" ? "main.js" : name, text]));
  const flags = ["--no-prompt", "--no-code-cache", "--allow-net"];
  const floor = await compile(named, flags, shop.denort, work, "floor");
  // A copy: what runs from here can be told from an installed one.
  await Deno.copyFile(built, `${work}/hook`);
  return { hook: `${work}/hook`, harness, floor, node: await which("node"), curl: await which("curl") };
}

async function which(name: string): Promise<string | undefined> {
  const { stdout } = await new Deno.Command("sh", { args: ["-c", `command -v ${name}`] }).output();
  return new TextDecoder().decode(stdout).trim() || undefined;
}

async function measure(list: readonly Contestant[], rounds: number): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>(list.map(({ name }) => [name, []]));
  for (let round = -WARM_UP; round < rounds; round++) {
    for (const contestant of shuffled(list)) {
      const ms = await time(contestant);
      if (round >= 0) times.get(contestant.name)?.push(ms);
    }
    progress(`round ${Math.max(0, round + 1)} of ${rounds}`);
  }
  progress("");
  return times;
}

async function rows(
  list: readonly Contestant[],
  times: Map<string, number[]>,
  daemon: BenchDaemon,
): Promise<Row[]> {
  const result: Row[] = [];
  for (const contestant of list) {
    const sizes: number[] = [];
    for (let i = 0; contestant.waits && i < RSS_RUNS; i++) {
      sizes.push(await memory(contestant, () => daemon.hold()));
    }
    const rssMb = sizes.length > 0 ? stats(sizes).median : undefined;
    result.push({ name: contestant.name, ...stats(times.get(contestant.name) ?? []), rssMb });
  }
  return result;
}

/** The promises, as ratios of medians. */
function targets(list: readonly Row[]): Target[] {
  const row = (name: string) => list.find((known) => known.name === name);
  const floor = row("floor");
  const node = row("node http");
  const result: Target[] = [];
  const against = (limit: number, ...names: string[]) => {
    for (const name of names) {
      result.push({
        name: `${name} / floor`,
        ratio: (row(name)?.median ?? NaN) / (floor?.median ?? NaN),
        limit,
      });
    }
  };
  const both = (scene: string) => [`session-start, ${scene}`, `user-prompt-submit, ${scene}`];
  against(1.25, ...both("up"));
  against(1.15, ...both("dead"), ...both("hanging"));
  against(1.3, ...both("1000 spooled"));
  against(1.6, "session-end, up", "session-end, dead", "session-end, hanging");
  for (const name of both("up")) {
    const rss = (row(name)?.rssMb ?? NaN) / (floor?.rssMb ?? NaN);
    result.push({ name: `memory of ${name} / floor`, ratio: rss, limit: 1.15 });
    if (node) {
      const ratio = node.median / (row(name)?.median ?? NaN);
      result.push({ name: `node http / ${name}`, ratio, limit: 1.6, atLeast: true });
    }
  }
  return result;
}

function table(list: readonly Row[]): string {
  const line = (name: string, ...cells: string[]) =>
    name.padEnd(34) + cells.map((cell) => cell.padStart(9)).join("");
  const ms = (value: number) => value.toFixed(1);
  return [
    line("ms", "min", "median", "p95", "RSS MB"),
    ...list.map((row) =>
      line(row.name, ms(row.min), ms(row.median), ms(row.p95), row.rssMb?.toFixed(0) ?? "")
    ),
  ].join("\n");
}

function progress(text: string): void {
  if (Deno.stderr.isTerminal()) Deno.stderr.writeSync(new TextEncoder().encode(`\r\x1b[K${text}`));
}

/** Ends the drains that our hooks left waiting: they run from our own copy of the binary. */
function endDrains(hook: string): void {
  for (const { name } of Deno.readDirSync("/proc")) {
    try {
      if (/^\d+$/.test(name) && Deno.readLinkSync(`/proc/${name}/exe`) === hook) {
        Deno.kill(Number(name), "SIGKILL");
      }
    } catch {
      // Not ours to look at, or gone.
    }
  }
}

async function main(args: string[], root: string): Promise<boolean> {
  const flags = parseArgs(args, { string: ["rounds", "json", "hook", "harness"], boolean: ["help"] });
  if (flags.help) {
    console.log(USAGE);
    return true;
  }
  const rounds = Number(flags.rounds ?? 40);
  if (!(rounds >= 1)) throw new Error(`--rounds ${flags.rounds} is not a number of rounds.`);
  const work = await Deno.makeTempDir({ prefix: "signet-bench-" });
  const daemon = new BenchDaemon();
  try {
    const hook = typeof flags.hook === "string" ? flags.hook : undefined;
    const found = await programs(
      root,
      work,
      hook,
      typeof flags.harness === "string" ? flags.harness : "pyagent",
    );
    const list = await contestants(found, daemon, work);
    const result = await rows(list, await measure(list, rounds), daemon);
    const promises = targets(result);
    endDrains(found.hook);
    console.log(`${table(result)}\n\n${promises.map(formatTarget).join("\n")}`);
    if (typeof flags.json === "string") {
      const [load1] = Deno.loadavg();
      const document = {
        rounds,
        load1,
        rows: result,
        targets: promises.map((t) => ({ ...t, met: isMet(t) })),
      };
      await Deno.writeTextFile(flags.json, JSON.stringify(document, null, 2) + "\n");
    }
    return promises.every(isMet);
  } finally {
    await daemon.close();
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
