import { type HookArgs, hookCall, parseHookArgs } from "../../hooks/args.ts";
import { hookMain } from "../../hooks/main.ts";
import type { Harness } from "./harness.ts";

/**
 * The two doors into a binary. A hook goes straight to hooks/, with no library
 * loaded; everything else is behind a dynamic import, which the build splits off.
 */
export async function enter(harnesses: readonly Harness[], binary: string): Promise<void> {
  const words = hookCall(Deno.args);
  if (words !== undefined) {
    const harness = harnessOf(harnesses, parseHookArgs(words));
    // An unknown harness is no reason to fail somebody's prompt.
    if (harness === undefined) Deno.exit(0);
    return await hookMain(harness, words);
  }
  const { cli } = await import("./cli/main.ts");
  Deno.exit(await cli(harnesses, binary, Deno.args));
}

/** The harness that a hook is of. A binary of many must be told: a guess would file one's memories as another's. */
export function harnessOf(harnesses: readonly Harness[], args: HookArgs): Harness | undefined {
  if (args.kind === "help") return harnesses[0];
  if (args.kind !== "usage" && args.harness !== undefined) {
    return harnesses.find(({ id }) => id === args.harness);
  }
  return harnesses.length === 1 ? harnesses[0] : undefined;
}
