import { type HookArgs, hookCall, parseHookArgs } from "../../hooks/args.ts";
import { hookMain } from "../../hooks/main.ts";
import type { Command } from "./cli/command.ts";
import type { Harness } from "./harness.ts";

/**
 * Runs a binary. A hook goes straight to hooks/, with no library loaded. Any
 * other command is behind a dynamic import, which the build splits off;
 * `commands` loads the binary's own command table, if it has one.
 */
export async function enter(
  harnesses: readonly Harness[],
  binary: string,
  commands?: () => Promise<readonly Command[]>,
): Promise<void> {
  if (Deno.args.length === 0 && !isTerminal()) Deno.exit(0);
  const hookArgs = hookCall(Deno.args);
  if (hookArgs !== undefined) {
    const harness = harnessOf(harnesses, parseHookArgs(hookArgs));
    // An unknown harness must not fail the user's prompt.
    if (harness === undefined) Deno.exit(0);
    return await hookMain(harness, hookArgs);
  }
  const { cli } = await import("./cli/main.ts");
  Deno.exit(await cli(harnesses, binary, Deno.args, await commands?.()));
}

/**
 * Without arguments and without a terminal, a harness has lost the arguments of a
 * hook: our help would go to the model at every prompt.
 */
function isTerminal(): boolean {
  try {
    return Deno.stdin.isTerminal();
  } catch {
    return false; // stdin is closed
  }
}

/**
 * The harness whose program this was called as: signet-connect serves each one
 * under the name of its own program, through a link. Undefined for any other name.
 */
export function calledAs(harnesses: readonly Harness[], argv0: string): Harness | undefined {
  const name = argv0.slice(argv0.lastIndexOf("/") + 1);
  return harnesses.find(({ binary }) => binary === name);
}

/** The harness that a hook belongs to. With several harnesses it must be named: a guess would mix up their memories. */
export function harnessOf(harnesses: readonly Harness[], args: HookArgs): Harness | undefined {
  if (args.kind === "help") return harnesses[0];
  if (args.kind !== "usage" && args.harness !== undefined) {
    return harnesses.find(({ id }) => id === args.harness);
  }
  return harnesses.length === 1 ? harnesses[0] : undefined;
}
