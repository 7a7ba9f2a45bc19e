import { hookMain } from "../../hooks/main.ts";
import type { Harness } from "./harness.ts";

/**
 * The two doors into a binary. A hook goes straight to hooks/, with no library
 * loaded; everything else is behind a dynamic import, which the build splits off.
 */
export async function enter(harnesses: readonly Harness[], binary: string): Promise<void> {
  const [first, ...rest] = Deno.args;
  if (first === "hook") {
    const flag = rest.findIndex((word) => word === "-H" || word === "--harness");
    const id = flag < 0 ? undefined : rest[flag + 1];
    const harness = id === undefined ? harnesses[0] : harnesses.find((known) => known.id === id);
    // An unknown harness is no reason to fail somebody's prompt.
    if (harness === undefined) Deno.exit(0);
    return await hookMain(harness, rest);
  }
  const { cli } = await import("./cli/main.ts");
  Deno.exit(await cli(harnesses, binary, Deno.args));
}
