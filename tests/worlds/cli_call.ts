import { type Program, run } from "../../connectors/base/cli/main.ts";
import type { Surroundings } from "../../hooks/state/paths.ts";

export interface Called {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface CallOptions {
  readonly env?: Record<string, string>;
  readonly host?: Surroundings;
  /** Whether standard output and error are a terminal. */
  readonly terminal?: boolean;
  readonly columns?: number;
}

/** Runs a command line of a binary inside this process. */
export async function call(
  program: Program,
  args: readonly string[],
  options: CallOptions = {},
): Promise<Called> {
  let out = "";
  let err = "";
  const host = options.host ?? { env: (name) => options.env?.[name], os: Deno.build.os };
  const terminal = options.terminal ?? false;
  const code = await run(program, args, host, {
    stdout: terminal,
    stderr: terminal,
    stdin: false,
    columns: options.columns ?? 80,
    out: (text) => out += text,
    err: (text) => err += text,
  });
  return { code, out, err };
}
