import { isWithin, targetPath } from "../../../../hooks/agents/locks/targets/target_path.ts";
import { type Context, EXIT, UserError } from "../command.ts";
import { duration } from "./draft_flags.ts";

const SHOWN = 20;

/** The lines of a log that the arguments of a command select, oldest first. */
export function selectLines(
  { args, flags }: Pick<Context, "args" | "flags">,
  lines: readonly Record<string, unknown>[],
): Record<string, unknown>[] {
  const since = flags.text("since");
  const from = since === undefined ? 0 : Date.now() - duration("since", since) * 1000;
  const given = flags.text("lines");
  if (given !== undefined && !/^[1-9]\d{0,5}$/.test(given)) {
    throw new UserError(`--lines must be a number, not ${given}.`, EXIT.usage, "--lines 100");
  }
  const roots = args.flatMap((path) => [...targetPath(path, Deno.cwd()).paths]);
  return lines
    .filter(({ at }) => typeof at === "string" && Date.parse(at) >= from)
    .filter(({ path }) => roots.length === 0 || roots.some((root) => isWithin(String(path), root)))
    .slice(-Number(given ?? SHOWN));
}

/** A time as people read it. */
export function localTime(at: unknown): string {
  const time = Date.parse(String(at));
  return Number.isNaN(time) ? "" : new Date(time).toLocaleString("sv");
}
