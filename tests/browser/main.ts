/**
 * `deno task test:browser [arguments of deno test]`: the browser tests, in a network namespace that has only
 * loopback. Instead of tests: with --screenshots [FOLDER] pictures of the inspector, with --monitor [FOLDER]
 * pictures of the monitor, with --frames the monitor's times per frame as JSON.
 */
import { findNamespace, isInside, LOOPBACK } from "../e2e/namespace.ts";
import { fromFileUrl } from "@std/path";

const TESTS = [
  "inspector.ts",
  "inspector_actions.ts",
  "inspector_lanes.ts",
  "inspector_widths.ts",
  "monitor.ts",
  "monitor_widths.ts",
];

const here = (name: string) => fromFileUrl(new URL(name, import.meta.url));
const PROGRAMS: Record<string, string> = {
  "--screenshots": "screenshot.ts",
  "--monitor": "monitor_screenshot.ts",
  "--frames": "frames.ts",
};
const program = PROGRAMS[Deno.args[0] ?? ""];
const command = program === undefined
  ? ["test", "-A", "--no-check", "--cached-only", ...TESTS.map(here), ...Deno.args]
  : ["run", "-A", "--cached-only", here(program), ...Deno.args.slice(1)];

/** Outside: the packages that the tests import need a network, once. */
async function prepare(): Promise<number> {
  const way = await findNamespace();
  if (typeof way === "string") {
    console.error(`not run: ${way}; the browser is only started where nothing but loopback can be reached.`);
    return 1;
  }
  const cached = await new Deno.Command(Deno.execPath(), {
    args: ["cache", "--quiet", ...[...TESTS, ...Object.values(PROGRAMS)].map(here)],
  }).spawn().status;
  if (!cached.success) return cached.code;
  const script = `${LOOPBACK} && exec "$@"`;
  return await run("unshare", [...way, "sh", "-c", script, "sh", Deno.execPath(), ...command]);
}

async function run(program: string, args: string[]): Promise<number> {
  return (await new Deno.Command(program, { args }).spawn().status).code;
}

Deno.exit(isInside() ? await run(Deno.execPath(), command) : await prepare());
