import { join, type Surroundings } from "../../../hooks/state/paths.ts";

/** A harness answers at once, or it is doing more than saying its version. */
const VERSION_TIMEOUT_MS = 4_000;
const GRACE_MS = 1_000;

/**
 * Asked for their version, some harnesses look for updates first. They are told
 * not to, and find a proxy that refuses where they do all the same.
 */
const OFFLINE: Record<string, string> = {
  CI: "1",
  NO_UPDATE_NOTIFIER: "1",
  DISABLE_AUTOUPDATER: "1",
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  HTTP_PROXY: "http://127.0.0.1:9",
  HTTPS_PROXY: "http://127.0.0.1:9",
  http_proxy: "http://127.0.0.1:9",
  https_proxy: "http://127.0.0.1:9",
};

/** The first of these programs on PATH, as a shell would find it. */
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

/** What `<program> --version` says, as a number; undefined where it says none in time. */
export async function versionOf(
  program: string,
  signal: AbortSignal = AbortSignal.timeout(VERSION_TIMEOUT_MS),
  graceMs = GRACE_MS,
): Promise<string | undefined> {
  let timer: number | undefined;
  const late = Promise.withResolvers<undefined>();
  const startGrace = () => timer = setTimeout(late.resolve, graceMs);
  signal.addEventListener("abort", startGrace);
  try {
    const output = new Deno.Command(program, {
      args: ["--version"],
      env: OFFLINE,
      stdin: "null",
      stdout: "piped",
      stderr: "null",
      signal,
    }).output();
    // A wrapper's child may outlive the wrapper, and hold the pipe open. What the program
    // itself said before it was ended comes first: hence the grace.
    const ended = await Promise.race([output, late.promise]);
    return ended && versionIn(new TextDecoder().decode(ended.stdout));
  } catch {
    return undefined; // not a program for this machine, or not ours to run
  } finally {
    signal.removeEventListener("abort", startGrace);
    clearTimeout(timer);
  }
}

/** The first thing in a text that looks like a version: `2.1.0 (Claude Code)`, `codex-cli 0.46.0`, `v1.0`. */
export function versionIn(text: string): string | undefined {
  return /(?:^|[\s/v])(\d+\.\d+(?:\.\d+)?(?:[-+.][\w.+-]+)?)/.exec(text)?.[1];
}
