import { stateDir, type Surroundings } from "../../../hooks/state/paths.ts";
import type { Harness } from "../harness.ts";
import { readLedger } from "../install/ledger.ts";
import { realOs } from "../fs/os.ts";
import { programPlace, type Running } from "./program_place.ts";

/** The program that the installed hooks call; undefined if the ledger has none. */
export async function recordedProgram(harness: string, host: Surroundings): Promise<string | undefined> {
  const dir = stateDir(harness, host);
  const reading = dir === undefined ? undefined : await readLedger(realOs, dir);
  if (reading?.kind !== "ok") return undefined;
  return reading.ledger.files.find(({ kind }) => kind === "program")?.path;
}

/** The program that the hooks call, or would call after an install. */
export async function installedProgram(
  harness: Harness,
  { binary, host, running }: { binary: string; host: Surroundings; running: Running },
): Promise<string> {
  return await recordedProgram(harness.id, host) ?? programPlace(binary, host, running).path;
}

/** This process, for `programPlace`. */
export function thisProcess(): Running {
  return { execPath: Deno.execPath(), standalone: Deno.build.standalone, cwd: Deno.cwd() };
}
