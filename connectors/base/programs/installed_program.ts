import { stateDir, type Surroundings } from "../../../hooks/state/paths.ts";
import type { Harness } from "../harness.ts";
import { CONNECT_BINARY, programName } from "../hooks_config/hook_command.ts";
import { readLedger } from "../install/ledger/ledger.ts";
import { realOs } from "../fs/os.ts";
import { calledPath, type ProgramPlace, programPlace, type Running } from "./program_place.ts";

/** The program that the installed hooks call, from the ledger; undefined if it has none. */
export async function recordedPlace(harness: string, host: Surroundings): Promise<ProgramPlace | undefined> {
  const dir = stateDir(harness, host);
  const reading = dir === undefined ? undefined : await readLedger(realOs, dir);
  if (reading?.kind !== "ok") return undefined;
  const path = reading.ledger.files.find(({ kind }) => kind === "program")?.path;
  // Other links are those of skills.
  const link = reading.ledger.links.find(({ to }) => programName(to) === CONNECT_BINARY)?.path;
  return path === undefined ? undefined : { path, link };
}

/** The program that the hooks call, or would call after an install. */
export async function installedPlace(
  harness: Harness,
  { binary, host, running }: { binary: string; host: Surroundings; running: Running },
): Promise<ProgramPlace> {
  return await recordedPlace(harness.id, host) ?? programPlace(binary, host, running);
}

/** The path of that program, as the hooks call it. */
export async function installedProgram(
  harness: Harness,
  options: { binary: string; host: Surroundings; running: Running },
): Promise<string> {
  return calledPath(await installedPlace(harness, options));
}

/** This process, for `programPlace`. */
export function thisProcess(): Running {
  return { execPath: executable(), standalone: Deno.build.standalone, cwd: Deno.cwd() };
}

/** The executable; where the system names the link that was called, the signet-connect behind it. */
function executable(): string {
  const path = Deno.execPath();
  if (programName(path) === CONNECT_BINARY) return path;
  try {
    const real = Deno.realPathSync(path);
    return programName(real) === CONNECT_BINARY ? real : path;
  } catch {
    return path; // replaced or removed while it runs
  }
}
