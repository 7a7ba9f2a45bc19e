import { failure, run, STEP_TIMEOUT_MS } from "./run.ts";

// `deno compile` embeds mtimes; a fixed one makes builds reproducible.
const MTIME = new Date("2000-01-01T00:00:00Z");

// The runtime is 97 MB, our code and libraries about 2 MB. More means that something else was
// embedded, such as a stray node_modules (+90 MB).
export const MAX_BYTES = 110_000_000;

/**
 * Compiles a bundle into `dir/name`, from a directory with only the bundle and an
 * empty config, so that nothing else can be embedded.
 */
export async function compile(
  files: ReadonlyMap<string, string>,
  flags: readonly string[],
  denort: string,
  dir: string,
  name: string,
): Promise<string> {
  // The output name is embedded, so use the final one.
  const output = `${dir}/${name}`;
  const source = `${dir}/source`;
  await Deno.mkdir(source);
  for (const [file, text] of new Map([...files, ["deno.json", "{}\n"]])) {
    await Deno.writeTextFile(`${source}/${file}`, text);
    await Deno.utime(`${source}/${file}`, MTIME, MTIME);
  }
  const args = ["compile", "-q", "--no-check", "--no-lock", "--node-modules-dir=none", ...flags];
  const ended = await run(Deno.execPath(), [...args, "-o", output, "main.js"], {
    cwd: source,
    env: { DENORT_BIN: denort },
    timeoutMs: STEP_TIMEOUT_MS,
  });
  if (ended.code !== 0) {
    throw new Error(`${name} does not compile: ${failure(ended, STEP_TIMEOUT_MS)}`);
  }
  const { size } = await Deno.stat(output);
  if (size > MAX_BYTES) {
    throw new Error(
      `${name} is ${size} bytes, more than the limit of ${MAX_BYTES}: an unexpected file was embedded.`,
    );
  }
  return output;
}
