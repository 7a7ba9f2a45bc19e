import { atomicCopy, atomicWrite, tempBeside } from "../../base/fs/atomic_write.ts";
import { EXIT, UserError } from "../../base/cli/command.ts";
import { type Ledger, ledgerBytes, ledgerPath, readLedger } from "../../base/install/ledger/ledger.ts";
import { acquire, lockPath } from "../../base/install/apply/lock.ts";
import type { Os } from "../../base/fs/os.ts";
import type { InstalledProgram } from "./installed_programs.ts";

/** A program and its verified replacement on the same disk. */
export interface Replacement extends InstalledProgram {
  readonly staged: string;
  readonly digest: string;
}

/** A new program that takes longer than this to start is broken. */
const START_MS = 15_000;

/** Starts a program in the two ways it is used and returns its version. */
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
 * Replaces all programs or none. The ledgers list both versions before the first
 * program is replaced, so that uninstall recognizes either one even if this is
 * killed halfway.
 */
export async function replacePrograms(
  os: Os,
  replacements: readonly Replacement[],
  options: { signal: AbortSignal; check?: (path: string) => Promise<unknown> },
): Promise<void> {
  const { signal, check = startCheck } = options;
  const [lockDir] = replacements.flatMap(({ recordedIn }) => recordedIn);
  const held = lockDir === undefined
    ? undefined
    : await acquire(os, lockPath(lockDir), () => Promise.resolve(signal.throwIfAborted()));
  const undo: (() => Promise<void>)[] = [];
  const backups: string[] = [];
  try {
    for (const { path, recordedIn, digest } of replacements) {
      for (const dir of recordedIn) await recordDigest(os, dir, path, digest, undo);
    }
    for (const { path, staged, links } of replacements) {
      signal.throwIfAborted();
      const backup = tempBeside(path);
      await os.hardlink(path, backup).catch(() => os.copy(path, backup, 0o755));
      backups.push(backup);
      undo.push(() => os.rename(backup, path));
      await atomicCopy(os, staged, path);
      await check(path);
      for (const link of links) await check(link);
    }
    signal.throwIfAborted();
  } catch (error) {
    const failed: string[] = [];
    for (const step of undo.toReversed()) await step().catch((cause) => failed.push(String(cause)));
    const why = signal.aborted ? "interrupted" : error instanceof Error ? error.message : String(error);
    throw new UserError(
      failed.length === 0
        ? `The upgrade was rolled back (${why}).`
        : `The upgrade failed (${why}), and so did the rollback: ${failed.join("; ")}.`,
      EXIT.failed,
      failed.length === 0 ? "Nothing was changed." : "Run the release's install.sh for each program.",
    );
  } finally {
    for (const backup of backups) await os.remove(backup).catch(() => {});
    await held?.release();
  }
}

async function recordDigest(
  os: Os,
  dir: string,
  path: string,
  digest: string,
  undo: (() => Promise<void>)[],
): Promise<void> {
  const reading = await readLedger(os, dir);
  if (reading.kind !== "ok") return;
  const write = (ledger: Ledger) => atomicWrite(os, ledgerPath(dir), ledgerBytes(ledger, dir), 0o600);
  undo.push(() => write(reading.ledger));
  await write({
    ...reading.ledger,
    files: reading.ledger.files.map((file) =>
      file.path === path && file.kind === "program"
        ? { ...file, after: [...file.after.filter((known) => known !== digest), digest].slice(-3) }
        : file
    ),
  });
}
