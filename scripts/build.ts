import { parseArgs } from "@std/cli/parse-args";
import { fromFileUrl, relative } from "@std/path";
import { buildOne } from "./build/build_one.ts";
import { chooseEntries, listEntries } from "./build/entries.ts";
import { megabytes } from "./build/progress.ts";
import { findTarget, hostTarget, TARGETS } from "./build/targets.ts";
import { locateDenort, openBuildContext } from "./build/build_context.ts";

const USAGE = `Usage: deno task build [--target T] [--denort-path] [name…]

Compiles binaries into dist/; all of them by default.

  --target T       build for another platform: ${TARGETS.map((t) => t.label).join(", ")}
  --out DIR        output directory (default: dist/)
  --denort-path    print the path of the embedded runtime and exit

  DENORT_BIN                  the runtime to use
  SIGNET_DENORT_DOWNLOAD      1: try Deno's download before npm; 0: never use it`;

export interface BuildOptions {
  readonly target?: string;
  readonly names: readonly string[];
  readonly out: string;
  readonly denortPath: boolean;
  readonly help: boolean;
}

/** Parses the command line. */
export function readArgs(args: readonly string[], root: string): BuildOptions {
  const flags = parseArgs(args, {
    string: ["target", "out"],
    boolean: ["denort-path", "help"],
    alias: { help: "h" },
    unknown: (arg: string) => {
      if (arg.startsWith("-")) throw new Error(`unknown flag ${arg}: see --help.`);
    },
  });
  if (flags.target === "") throw new Error("--target needs a value: see --help.");
  return {
    target: typeof flags.target === "string" ? flags.target : undefined,
    names: flags._.map(String),
    out: typeof flags.out === "string" && flags.out !== "" ? flags.out : `${root}/dist`,
    denortPath: flags["denort-path"] === true,
    help: flags.help === true,
  };
}

async function main(args: readonly string[], root: string): Promise<void> {
  const options = readArgs(args, root);
  if (options.help) return console.log(USAGE);
  const target = options.target === undefined ? hostTarget() : findTarget(options.target);
  const entries = chooseEntries(listEntries(root), options.names);
  if (options.denortPath) return console.log(await locateDenort(root, target));
  const context = await openBuildContext(root, options.out, target, options.target !== undefined);
  for (const entry of entries) {
    const built = await buildOne(entry, context);
    const path = relative(Deno.cwd(), built.path);
    const how = built.fresh
      ? (built.ran ? "built and tested" : "built, not tested: for another platform")
      : "unchanged";
    console.log(`✓ ${path}  ${megabytes(built.size)} MB  (${how})`);
  }
}

if (import.meta.main) {
  try {
    await main(Deno.args, fromFileUrl(new URL("..", import.meta.url)).replace(/[\\/]$/, ""));
  } catch (err) {
    console.error(`✗ ${err instanceof Error ? err.message : String(err)}`);
    Deno.exit(1);
  }
}
