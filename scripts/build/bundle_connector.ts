import { bundle } from "./bundle.ts";

/** What connectors/base/entry.ts imports for every command except `hook`. */
const CLI_IMPORT = "./cli/main.ts";

/**
 * Bundles a connector twice: once without its commands, for hooks, and once whole,
 * for everything else. In a single bundle, code splitting would cut the shared code
 * into a dozen files, and loading them costs a hook 3.5 of its 50 ms. Minified: a hook
 * parses its bundle each time and maps all the others, and half the bytes save 3 ms.
 */
export async function bundleConnector(
  root: string,
  main: string,
  npmCache: string,
): Promise<Map<string, string>> {
  const hook = await bundle(root, main, npmCache, { external: CLI_IMPORT, minify: true });
  const whole = await bundle(root, main, npmCache, { minify: true });
  return joinBundles(hook, whole);
}

/** Adds the whole bundle to the hook bundle under a `whole_` prefix, and makes the CLI import load it. */
export function joinBundles(
  hook: ReadonlyMap<string, string>,
  whole: ReadonlyMap<string, string>,
): Map<string, string> {
  const main = hook.get("main.js") ?? "";
  if (main.split(`"${CLI_IMPORT}"`).length !== 2) {
    throw new Error(`The hook bundle must import ${CLI_IMPORT} exactly once: see connectors/base/entry.ts.`);
  }
  const out = new Map(hook);
  out.set("main.js", main.replace(`"${CLI_IMPORT}"`, `"./whole_main.js"`));
  for (const [name, text] of whole) {
    out.set(
      `whole_${name}`,
      text.replace(
        /(["'])\.\/([\w.-]+\.js)\1/g,
        (all, quote, file) => whole.has(file) ? `${quote}./whole_${file}${quote}` : all,
      ),
    );
  }
  return out;
}
