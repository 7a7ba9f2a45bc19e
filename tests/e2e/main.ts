/**
 * `deno task e2e [harness…]`: the real programs, from npm, against a model stub
 * and the mock daemon, all inside a network namespace that has only loopback.
 *
 *   --mesh                      agents that message each other, with a script of its own
 *   --locks                     locks on files, tried with every editing tool
 *   --start                     send --start: harnesses without a live session answer messages
 *   --a2a                       tasks that arrive by A2A; needs dist/signet-connect as well
 *   --versions                  several versions of each program, with a shorter script; not part of .ci/run
 *   --allow-not-run ID=REASON   do not fail because this harness cannot be fetched
 *   SIGNET_E2E_CACHE            where the programs are kept
 *   SIGNET_E2E_DIST             where the compiled connectors are (dist/)
 *   SIGNET_E2E_KEEP=1           leave the scratch homes for a look
 */
import { findNamespace, isInside, runInside } from "./namespace.ts";
import { fetchDaemon } from "./daemon.ts";
import { fetchPackage } from "./packages.ts";
import { A2A } from "./agents/a2a.ts";
import { HEADLESS } from "./agents/headless.ts";
import { LOCKS } from "./agents/lock_kits.ts";
import { MESH } from "./agents/mesh_kits.ts";
import { allWell, type Result, summary } from "./report.ts";
import { SCENARIOS } from "./scenarios.ts";
import { VERSIONS } from "./versions/versions.ts";
import { type Scenario, Stage } from "./stage.ts";

const wanted: string[] = [];
let scenarios = SCENARIOS;
/** Harnesses that may be missing, each with the reason. */
const allowed = new Map<string, string>();
/** Harnesses that could not be fetched: passed from the outer run to the inner one. */
const missing = new Map<string, string>();
for (let i = 0; i < Deno.args.length; i++) {
  const word = Deno.args[i] ?? "";
  if (word === "--versions") scenarios = VERSIONS;
  else if (word === "--mesh") scenarios = MESH;
  else if (word === "--locks") scenarios = LOCKS;
  else if (word === "--start") scenarios = HEADLESS;
  else if (word === "--a2a") scenarios = A2A;
  else if (word === "--allow-not-run") note(allowed, Deno.args[++i]);
  else if (word === "--not-run") note(missing, Deno.args[++i]);
  else wanted.push(word);
}
const isNamed = (scenario: Scenario, name: string) => [scenario.harness.id, idOf(scenario)].includes(name);
const unknown = wanted.filter((name) => !scenarios.some((scenario) => isNamed(scenario, name)));
if (unknown.length > 0) {
  stop(`no such harness: ${unknown.join(", ")}; there are ${scenarios.map(idOf).join(", ")}`);
}
const chosen = wanted.length === 0
  ? scenarios
  : scenarios.filter((scenario) => wanted.some((name) => isNamed(scenario, name)));

Deno.exit(isInside() ? await play() : await prepare());

/** Outside: what needs a network. */
async function prepare(): Promise<number> {
  const way = await findNamespace();
  if (typeof way === "string") {
    stop(`not run: ${way}; the real programs are only started where nothing but loopback can be reached.`);
  }
  await fetchDaemon();
  const notRun: string[] = [];
  for (const scenario of chosen) {
    try {
      for (const pkg of scenario.packages) await fetchPackage(pkg, console.log);
    } catch (err) {
      const reason = err instanceof Error ? err.message : String(err);
      console.log(`${idOf(scenario)}: ${reason}`);
      notRun.push("--not-run", `${idOf(scenario)}=${reason}`);
    }
  }
  return await runInside(way, import.meta.url, [...Deno.args, ...notRun]);
}

/** Inside: everything else. */
async function play(): Promise<number> {
  const results: Result[] = [];
  for (const scenario of chosen) {
    const harness = idOf(scenario);
    const notRun = missing.get(harness);
    if (notRun !== undefined) results.push({ harness, checks: [], seconds: 0, notRun });
    else results.push(await playOne(scenario));
  }
  console.log(`\n${summary(results, allowed).join("\n")}`);
  return allWell(results, allowed) ? 0 : 1;
}

async function playOne(scenario: Scenario): Promise<Result> {
  const started = performance.now();
  const harness = idOf(scenario);
  const seconds = () => (performance.now() - started) / 1000;
  console.log(`\n${harness} (${scenario.packages.map((pkg) => `${pkg.name}@${pkg.version}`).join(", ")})`);
  try {
    await using stage = await Stage.set(scenario);
    await stage.check("the script ran to its end", () => scenario.play(stage));
    return { harness, checks: stage.checks, seconds: seconds() };
  } catch (err) {
    const problem = err instanceof Error ? err.message : String(err);
    console.log(`  FAILED  ${problem}`);
    return { harness, checks: [{ title: "the stage could be set", problem }], seconds: seconds() };
  }
}

function idOf(scenario: Scenario): string {
  return scenario.name ?? scenario.harness.id;
}

function note(reasons: Map<string, string>, pair = ""): void {
  const [, harness, reason] = pair.match(/^([^=]+)=([^]+)$/) ?? [];
  if (harness === undefined || reason === undefined) stop(`'${pair}' needs the form HARNESS=REASON`);
  reasons.set(harness, reason);
}

function stop(message: string): never {
  console.error(`e2e: ${message}`);
  Deno.exit(1);
}
