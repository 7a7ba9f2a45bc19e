import process from "node:process";
import { hookCall, parseHookArgs } from "../../hooks/args.ts";
import { hookMain } from "../../hooks/main.ts";
import { HARNESS_LOADERS } from "../harness_loaders.ts";

/**
 * A hook loads the descriptor of its own harness alone: the one that `-H` names, or
 * the one whose program this was called as through a link. Without either it does
 * nothing: a guess would mix up memories, and an error would fail the user's prompt.
 */
const args = hookCall(Deno.args);
const call = args === undefined ? undefined : parseHookArgs(args);
if (args === undefined || call === undefined || call.kind === "help") await import("./command_line.ts");
else {
  const id = call.kind === "usage" ? undefined : call.harness;
  const load = HARNESS_LOADERS.get(id ?? calledId(process.argv0));
  if (load === undefined) Deno.exit(0);
  await hookMain(load(), args);
}

function calledId(program: string): string {
  return program.slice(program.lastIndexOf("/") + 1).replace(/^signet-/, "");
}
