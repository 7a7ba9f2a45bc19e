import { atomicCopy, atomicWrite, tempBeside } from "../base/fs/atomic_write.ts";
import { EXIT, UserError } from "../base/cli/command.ts";
import { type Ledger, ledgerBytes, ledgerPath, readLedger } from "../base/install/ledger.ts";
import { acquire, lockPath } from "../base/install/lock.ts";
import type { Os } from "../base/fs/os.ts";
import type { InstalledProgram } from "./installed_programs.ts";

/** A program and what is to stand in its place, on the same disk and checked. */
export interface Replacement extends InstalledProgram {
  readonly staged: string;
  readonly digest: string;
}

/** A program that hangs when asked for its version is none. */
const START_MS = 15_000;

/** Starts a program the two ways it is used, and gives the version that it tells. */
export async function startCheck(path: string): Promise<string> {
  const version = await output(path, ["--version"]);
  await output(path, ["hook", "--help"]);
  return version.trim().split(/\s+/).at(-1) ?? "";
}

async function output(path: string, args: string[]): Promise<string> {
  let why: string;
  try {
    const { code, stdout, stderr } = await new Deno.Command(path, {
      args,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
      signal: AbortSignal.timeout(START_MS),
    }).output();
    if (code === 0) return new TextDecoder().decode(stdout);
    why = new TextDecoder().decode(stderr).trim().split("\n")[0] || `exit code ${code}`;
  } catch (error) {
    why = error instanceof Error ? error.message : String(error);
  }
  throw new Error(`${args.join(" ")}: ${why}`);
}

/**
 * Puts the new programs in the place of the old: all of them, or none. The
 * ledgers know both before the first is replaced, so that an uninstall takes
 * either for ours at whatever moment this is killed.
 */
export async function replacePrograms(
  os: Os,
  replacements: readonly Replacement[],
  options: { signal: AbortSignal; check?: (path: string) => Promise<unknown> },
): Promise<void> {
  const { signal, check = startCheck } = options;
  const [someDir] = replacements.flatMap(({ recordedIn }) => recordedIn);
  const held = someDir === undefined
    ? undefined
    : await acquire(os, lockPath(someDir), () => Promise.resolve(signal.throwIfAborted()));
  const undo: (() => Promise<void>)[] = [];
  const olds: string[] = [];
  try {
    for (const { path, recordedIn, digest } of replacements) {
      for (const dir of recordedIn) await record(os, dir, path, digest, undo);
    }
    for (const { path, staged } of replacements) {
      signal.throwIfAborted();
      const old = tempBeside(path);
      await os.hardlink(path, old).catch(() => os.copy(path, old, 0o755));
      olds.push(old);
      undo.push(() => os.rename(old, path));
      await atomicCopy(os, staged, path);
      await check(path);
    }
    signal.throwIfAborted();
  } catch (error) {
    const failed: string[] = [];
    for (const step of undo.toReversed()) await step().catch((cause) => failed.push(String(cause)));
    const what = signal.aborted ? "interrupted" : error instanceof Error ? error.message : String(error);
    throw new UserError(
      failed.length === 0
        ? `The upgrade was taken back (${what}).`
        : `The upgrade failed (${what}), and taking it back failed too: ${failed.join("; ")}.`,
      EXIT.failed,
      failed.length === 0 ? "Everything is as it was." : "Run the release's install.sh for each program.",
    );
  } finally {
    for (const old of olds) await os.remove(old).catch(() => {});
    await held?.release();
  }
}

async function record(
  os: Os,
  dir: string,
  path: string,
  digest: string,
  undo: (() => Promise<void>)[],
): Promise<void> {
  const reading = await readLedger(os, dir);
  if (reading.kind !== "ok") return;
  const write = (ledger: Ledger) => atomicWrite(os, ledgerPath(dir), ledgerBytes(ledger), 0o600);
  undo.push(() => write(reading.ledger));
  await write({
    ...reading.ledger,
    files: reading.ledger.files.map((file) =>
      file.path === path && file.kind === "program"
        ? { ...file, after: [...file.after.filter((one) => one !== digest), digest].slice(-3) }
        : file
    ),
  });
}
