import { parseArgs } from "@std/cli/parse-args";
import { fromFileUrl, relative } from "@std/path";
import { VERSION } from "../connectors/base/version.ts";
import { buildOne } from "./build/build_one.ts";
import { denoDirs } from "./build/deno_dirs.ts";
import { findDenort, realWays } from "./build/denort.ts";
import { chooseEntries, listEntries } from "./build/entries.ts";
import { megabytes } from "./build/progress.ts";
import { sha256File } from "./build/sha256.ts";
import { DENO_VERSION, findTarget, hostTarget, TARGETS } from "./build/targets.ts";

const USAGE = `Usage: deno task build [--target T] [--denort-path] [name…]

Compiles binaries into dist/; all of them where none is named.

  --target T       for another machine: ${TARGETS.map((t) => t.label).join(", ")}
  --out DIR        instead of dist/
  --denort-path    only print the path of the runtime that the binaries embed

  DENORT_BIN                  the runtime to use
  SIGNET_DENORT_DOWNLOAD      1: Deno's own download before npm; 0: never`;

export interface BuildOptions {
  readonly target?: string;
  readonly names: readonly string[];
  readonly out: string;
  readonly denortPath: boolean;
  readonly help: boolean;
}

/** The command line, or an error that says what is wrong with it. */
export function readArgs(args: readonly string[], root: string): BuildOptions {
  const flags = parseArgs(args, {
    string: ["target", "out"],
    boolean: ["denort-path", "help"],
    alias: { help: "h" },
    unknown: (arg: string) => {
      if (arg.startsWith("-")) throw new Error(`deno task build has no flag ${arg}: see --help.`);
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
  if (Deno.version.deno !== DENO_VERSION) {
    throw new Error(
      `This is Deno ${Deno.version.deno}, and the build needs ${DENO_VERSION}: use ./scripts/deno.`,
    );
  }
  const target = options.target === undefined ? hostTarget() : findTarget(options.target);
  const entries = chooseEntries(listEntries(root), options.names);
  const { denoDir, npmCache } = await denoDirs();
  const denort = await findDenort(target, realWays(denoDir, root));
  if (options.denortPath) return console.log(denort);

  await Deno.mkdir(options.out, { recursive: true });
  const shop = {
    root,
    dist: options.out,
    npmCache,
    version: VERSION,
    target,
    named: options.target !== undefined,
    denort,
    denortSha256: await sha256File(denort),
  };
  for (const entry of entries) {
    const built = await buildOne(entry, shop);
    const path = relative(Deno.cwd(), built.path);
    const how = built.fresh
      ? (built.ran ? "built, started" : "built, not started: another machine's")
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
