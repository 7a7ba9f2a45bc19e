import { bundle } from "./bundle.ts";

/** What connectors/base/entry.ts imports when it is not a hook that knocks. */
const SECOND_DOOR = "./cli/main.ts";

/**
 * Bundles a connector twice: once without its commands, which is all that a hook
 * loads, and once whole, which is what the second door leads to. In one bundle
 * the splitter cuts what both need into a dozen files, and loading those costs a
 * hook 3.5 of its 50 ms. Each door stays within its own copy.
 */
export async function bundleConnector(
  root: string,
  main: string,
  npmCache: string,
): Promise<Map<string, string>> {
  const hook = await bundle(root, main, npmCache, SECOND_DOOR);
  const whole = await bundle(root, main, npmCache);
  return joinDoors(hook, whole);
}

/** Puts the whole bundle beside the hook's, under names of its own, and lets the second door lead to it. */
export function joinDoors(
  hook: ReadonlyMap<string, string>,
  whole: ReadonlyMap<string, string>,
): Map<string, string> {
  const door = hook.get("main.js") ?? "";
  if (door.split(`"${SECOND_DOOR}"`).length !== 2) {
    throw new Error(`The hook's bundle does not import ${SECOND_DOOR} once: see connectors/base/entry.ts.`);
  }
  const out = new Map(hook);
  out.set("main.js", door.replace(`"${SECOND_DOOR}"`, `"./whole_main.js"`));
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
