import { buildOne } from "../build/build_one.ts";
import { bundle } from "../build/bundle/bundle.ts";
import { compile } from "../build/compile.ts";
import { chooseEntries, listEntries } from "../build/entries.ts";
import { CONNECTOR_PERMISSIONS } from "../build/permissions.ts";
import { hostTarget } from "../build/targets.ts";
import { openBuildContext } from "../build/build_context.ts";

/** A harness that takes part in the agent mesh. */
export const AGENTS_HARNESS = "claude-code";

/** The programs to measure. */
export interface Programs {
  /** Copies of the connector binary. */
  readonly hooks: readonly string[];
  readonly harness: string;
  /** Links to copies of signet-connect, called as the connector; none for a binary that was named. */
  readonly links: readonly string[];
  /** The same program under the name of a harness that takes part in the agent mesh. */
  readonly agents: readonly string[];
  readonly floors: readonly string[];
  readonly empty: string;
  readonly mcpImport: string;
  readonly node?: string;
  readonly curl?: string;
}

/** Builds signet-pyagent unless a binary is named, and compiles the programs to compare it with. */
export async function makePrograms(
  root: string,
  work: string,
  named: { hook?: string; harness: string },
): Promise<Programs> {
  const context = await openBuildContext(root, `${root}/dist`, hostTarget(), false);
  const compiled = async (name: string, flags: readonly string[]): Promise<string> => {
    const files = await bundle(root, `scripts/bench/${name}.ts`, context.npmCache);
    const renamed = new Map(
      [...files].map(([file, text]) => [file === `${name}.js` ? "main.js" : file, text]),
    );
    // Each in its own directory, because the sources are next to the output during compilation.
    await Deno.mkdir(`${work}/${name}.d`);
    return await compile(
      renamed,
      ["--no-prompt", "--no-code-cache", ...flags],
      context.denort,
      `${work}/${name}.d`,
      name,
    );
  };
  const [entry, connect] = ["pyagent", "connect"].flatMap((name) => chooseEntries(listEntries(root), [name]));
  const built = named.hook ?? (entry === undefined ? undefined : (await buildOne(entry, context)).path);
  if (built === undefined) {
    throw new Error("There is no connectors/pyagent to build; name a binary with --hook.");
  }
  return {
    hooks: await copies(built, `${work}/hook`),
    harness: named.harness,
    ...named.hook === undefined && connect !== undefined
      ? await links((await buildOne(connect, context)).path, work, named.harness)
      : { links: [], agents: [] },
    floors: await copies(await compiled("floor", ["--allow-net"]), `${work}/floor`),
    empty: await compiled("empty", []),
    mcpImport: await compiled("mcp_import", CONNECTOR_PERMISSIONS.map(({ flag }) => flag)),
    node: await which("node"),
    curl: await which("curl"),
  };
}

/**
 * Identical files can differ by up to 10% in start-up time, depending on how they are
 * laid out in the page cache (seen with four copies of the floor). So the programs
 * that are compared run from several copies in turn.
 */
const COPIES = 4;

async function copies(from: string, to: string): Promise<string[]> {
  const paths = Array.from({ length: COPIES }, (_, i) => `${to}-${i}`);
  for (const path of paths) await Deno.copyFile(from, path);
  return paths;
}

/** Links to copies of a program, in directories of their own, named like connectors. */
async function links(
  program: string,
  work: string,
  harness: string,
): Promise<Pick<Programs, "links" | "agents">> {
  const dirs = await Promise.all((await copies(program, `${work}/connect`)).map(async (copy) => {
    await Deno.mkdir(`${copy}.d`);
    for (const id of [harness, AGENTS_HARNESS]) await Deno.symlink(copy, `${copy}.d/signet-${id}`);
    return `${copy}.d`;
  }));
  return {
    links: dirs.map((dir) => `${dir}/signet-${harness}`),
    agents: dirs.map((dir) => `${dir}/signet-${AGENTS_HARNESS}`),
  };
}

async function which(name: string): Promise<string | undefined> {
  const { stdout } = await new Deno.Command("sh", { args: ["-c", `command -v ${name}`] }).output();
  return new TextDecoder().decode(stdout).trim() || undefined;
}
