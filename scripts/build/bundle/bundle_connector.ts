import { bundle } from "./bundle.ts";

/** Imports that a hook does not make: of connectors/base/entry.ts, connect/main.ts and the descriptors. */
export const COMMAND_IMPORTS = ["./cli/main.ts", "./command_line.ts", "./inspect.ts", "./trust.ts"];

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
  const hook = await bundle(root, main, npmCache, { external: COMMAND_IMPORTS, minify: true });
  const whole = await bundle(root, main, npmCache, { minify: true });
  return joinBundles(hook, whole);
}

/** Adds the whole bundle to the hook bundle under a `whole_` prefix, and makes the imports of commands load it. */
export function joinBundles(
  hook: ReadonlyMap<string, string>,
  whole: ReadonlyMap<string, string>,
): Map<string, string> {
  const main = hook.get("main.js") ?? "";
  if (!COMMAND_IMPORTS.some((name) => main.includes(`"${name}"`))) {
    throw new Error("The hook bundle cannot load the commands: see connectors/base/entry.ts.");
  }
  const out = new Map<string, string>();
  const toWhole = (text: string) =>
    COMMAND_IMPORTS.reduce((all, name) => all.replaceAll(`"${name}"`, `"./whole_main.js"`), text);
  for (const [name, text] of hook) out.set(name, toWhole(text));
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
