import { fromFileUrl } from "@std/path";
import { exists } from "./exists.ts";

const ROOT = fromFileUrl(new URL("../..", import.meta.url));
const BUNDLES = "SIGNET_TEST_BUNDLES";

/**
 * Bundles the programs that tests start most often into a directory. `programArgs` finds them in the
 * environment `env`: hooks at once, and the others when `done` is fulfilled. Until then it gives their sources.
 */
export async function bundlePrograms(
  dir: string,
): Promise<{ env: Record<string, string>; done: Promise<void> }> {
  // A hook runs 500 times, and the fewer files, the faster it starts. The first bundle on a machine makes
  // Deno install esbuild, which fails if another one does so at the same time.
  await bundle(["tests/worlds/hooks/sample_hook.ts"], `${dir}/hook/tests/worlds/hooks`);
  return { env: { [BUNDLES]: dir }, done: bundleCommands(dir) };
}

async function bundleCommands(dir: string): Promise<void> {
  const folders = [...Deno.readDirSync(`${ROOT}connectors`)].map(({ name }) => `connectors/${name}`);
  const mains = [...folders, "mock_daemon"].map((folder) => `${folder}/main.ts`);
  const unfinished = `${dir}/unfinished`;
  await Promise.all([
    bundle(mains.filter((main) => exists(`${ROOT}${main}`)), unfinished),
    bundle(["tests/worlds/install/apply_once.ts"], `${unfinished}/tests/worlds/install`),
  ]);
  Deno.renameSync(unfinished, `${dir}/commands`);
}

async function bundle(entries: readonly string[], outdir: string): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "-q", "--code-splitting", "--platform", "deno", "--outdir", outdir, ...entries],
    cwd: ROOT,
    stdout: "null",
    stderr: "piped",
  }).output();
  if (!success) throw new Error(`The programs do not bundle: ${new TextDecoder().decode(stderr)}`);
}

/** The arguments of Deno that start a program of this repository: its bundle if there is one, else its source. */
export function programArgs(entry: string): string[] {
  const always = ["run", "-A", "--no-check"];
  const dir = Deno.env.get(BUNDLES);
  const bundled = ["hook", "commands"].map((kind) => `${dir}/${kind}/${entry.replace(/\.ts$/, ".js")}`).find(
    exists,
  );
  if (dir !== undefined && bundled !== undefined) {
    return [...always, "--no-config", "--no-lock", bundled];
  }
  return [...always, "--config", `${ROOT}deno.json`, `${ROOT}${entry}`];
}
