import { join, type Surroundings } from "../../../hooks/state/paths.ts";

/** A harness that needs longer is doing more than printing its version. */
const VERSION_TIMEOUT_MS = 4_000;
const GRACE_MS = 1_000;

/**
 * Some harnesses check for updates when they print their version. These variables
 * turn that off, and point to a proxy that refuses connections in case they do not.
 */
const OFFLINE: Record<string, string> = {
  CI: "1",
  NO_UPDATE_NOTIFIER: "1",
  DISABLE_AUTOUPDATER: "1",
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  KILO_DISABLE_AUTOUPDATE: "1",
  HTTP_PROXY: "http://127.0.0.1:9",
  HTTPS_PROXY: "http://127.0.0.1:9",
  http_proxy: "http://127.0.0.1:9",
  https_proxy: "http://127.0.0.1:9",
};

/** The first of these programs on PATH, as a shell finds it. */
export function findProgram(
  names: readonly string[],
  host: Surroundings,
  also: readonly string[] = [],
): string | undefined {
  const windows = host.os === "windows";
  const dirs = (host.env("PATH") ?? "").split(windows ? ";" : ":").filter((dir) => dir !== "");
  const endings = windows ? (host.env("PATHEXT") ?? ".EXE;.CMD;.BAT").split(";") : [""];
  const places = names.flatMap((name) =>
    dirs.flatMap((dir) => endings.map((ending) => join(host, dir, name + ending)))
  );
  return [...places, ...also].find((path) => isProgram(path, windows));
}

function isProgram(path: string, windows: boolean): boolean {
  try {
    const { isFile, mode } = Deno.statSync(path);
    return isFile && (windows || mode === null || (mode & 0o111) !== 0);
  } catch {
    return false;
  }
}

/** The version that `<program> --version` prints; undefined if it prints none in time. */
export async function versionOf(
  program: string,
  signal: AbortSignal = AbortSignal.timeout(VERSION_TIMEOUT_MS),
  graceMs = GRACE_MS,
  env: Record<string, string> = {},
): Promise<string | undefined> {
  let timer: number | undefined;
  const late = Promise.withResolvers<undefined>();
  const startGrace = () => timer = setTimeout(late.resolve, graceMs);
  signal.addEventListener("abort", startGrace);
  try {
    const output = new Deno.Command(program, {
      args: ["--version"],
      env: { ...OFFLINE, ...env },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
      signal,
    }).output();
    // A wrapper's child may outlive the wrapper and keep the pipe open. The grace period lets
    // the output of the program itself arrive first.
    const ended = await Promise.race([output, late.promise]);
    if (ended === undefined) return undefined;
    const printed = (bytes: Uint8Array) => versionIn(new TextDecoder().decode(bytes));
    // pi prints its version on stderr up to 0.74. The stderr of a program that failed is its error.
    return printed(ended.stdout) ?? (ended.success ? printed(ended.stderr) : undefined);
  } catch {
    return undefined; // not a program for this machine, or no permission to run it
  } finally {
    signal.removeEventListener("abort", startGrace);
    clearTimeout(timer);
  }
}

/** The first version number in a text: `2.1.0 (Claude Code)`, `codex-cli 0.46.0`, `v1.0`. */
export function versionIn(text: string): string | undefined {
  return /(?:^|[\s/v])(\d+\.\d+(?:\.\d+)?(?:[-+.][\w.+-]+)?)/.exec(text)?.[1];
}
