import type { Surroundings } from "../../../hooks/state/paths.ts";
import { dirOf, throughLinks, within } from "../fs/file_path.ts";
import { type Os, realOs, type Stat } from "../fs/os.ts";
import type { Harness } from "../harness.ts";
import { CONNECT_BINARY, programName } from "../hooks_config/hook_command.ts";
import { findProgram } from "./find_program.ts";
import { calledPath, type ProgramPlace, programPlace, type Running } from "./program_place.ts";

export interface HarnessProgramOptions {
  /** The name of the running program: signet-connect, or that of the harness. */
  readonly binary: string;
  readonly host: Surroundings;
  readonly running: Running;
  readonly binDir?: string;
  /** What an earlier install recorded. */
  readonly earlier?: ProgramPlace;
  /** This user, who must own the directory of a link. */
  readonly uid?: number;
}

/**
 * The program that the hooks of one harness will call. signet-connect is 100 MB
 * and serves every harness, so each harness gets a link to it with the name of its
 * own program: signet-pi. Hooks that call something else already keep it.
 */
export async function harnessProgram(
  harness: Pick<Harness, "binary">,
  options: HarnessProgramOptions,
  os: Os = realOs,
): Promise<ProgramPlace> {
  const { binary, host, running, binDir, earlier } = options;
  const before = binary === CONNECT_BINARY ? earlier?.path : earlier && calledPath(earlier);
  const plain = programPlace(binary, host, running, binDir, before);
  // On Windows, an ordinary user cannot make links to files.
  if (!running.standalone || host.os === "windows") return plain;
  return binary === CONNECT_BINARY
    ? await linkedToConnect(harness, plain, options, os)
    : await throughLink(harness, plain, options, os);
}

/** signet-connect installs: a program of the harness that exists stays in use; otherwise a link is made. */
async function linkedToConnect(
  { binary }: Pick<Harness, "binary">,
  plain: ProgramPlace,
  { binDir, earlier, uid }: HarnessProgramOptions,
  os: Os,
): Promise<ProgramPlace> {
  // Installed before there were links: `signet-connect hook … -H pi`.
  if (earlier && !earlier.link && programName(earlier.path) === CONNECT_BINARY) return plain;
  const kept = binDir === undefined && earlier ? earlier.link ?? earlier.path : undefined;
  const link = kept ?? within(dirOf(plain.path), binary);
  const found = await os.lstat(link);
  if (found?.kind === "file") return isProgram(found) ? { path: link, source: link } : plain;
  if (found?.kind === "link") {
    if (await leadsTo(os, link, plain.path)) return { ...plain, link };
    const target = await os.stat(link);
    // Somebody else's link, perhaps to a program of the harness.
    if (link !== earlier?.link) return target && isProgram(target) ? { path: link } : plain;
  } else if (found) return plain;
  const dir = await os.stat(dirOf(link));
  return dir && uid !== undefined && dir.uid !== uid ? plain : { ...plain, link };
}

/** The program of the harness installs: if it was called through a link that hooks can call too, that is enough. */
async function throughLink(
  { binary }: Pick<Harness, "binary">,
  plain: ProgramPlace,
  { host, running, binDir, earlier }: HarnessProgramOptions,
  os: Os,
): Promise<ProgramPlace> {
  const { execPath } = running;
  if (binDir !== undefined || programName(execPath) === binary) return plain;
  if (earlier?.link !== undefined && await leadsTo(os, earlier.link, execPath)) {
    return { path: earlier.path, source: execPath, link: earlier.link };
  }
  for (const path of [findProgram([binary], host), plain.path]) {
    if (path === undefined || (await os.lstat(path))?.kind !== "link") continue;
    // Made by somebody else, so an uninstall keeps it.
    if (await leadsTo(os, path, execPath)) return { path };
  }
  return plain;
}

async function leadsTo(os: Os, link: string, program: string): Promise<boolean> {
  const real = await throughLinks(os, link).catch(() => undefined);
  if (real === program) return true;
  const [a, b] = [real && await os.stat(real), await os.stat(program)];
  return Boolean(a && b && a.inode !== undefined && a.inode === b.inode);
}

function isProgram({ kind, mode }: Stat): boolean {
  return kind === "file" && (mode === undefined || (mode & 0o111) !== 0);
}
