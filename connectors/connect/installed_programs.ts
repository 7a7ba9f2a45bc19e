import { stateDir } from "../../hooks/state/paths.ts";
import type { Context } from "../base/cli/command.ts";
import { installedSite } from "../base/cli/installed_site.ts";
import { programName } from "../base/hooks_config/hook_command.ts";
import { installedCalls } from "../base/doctor/calls.ts";
import { recordedProgram, thisProcess } from "../base/programs/installed_program.ts";
import { realOs } from "../base/fs/os.ts";
import { configState, isConnected } from "../base/install/install_state.ts";

/** A Signet connector program on this machine. */
export interface InstalledProgram {
  readonly path: string;
  /** `signet-pi` */
  readonly name: string;
  /** The state directories of the harnesses whose ledger names it. */
  readonly recordedIn: readonly string[];
}

/** Every connector program that a harness's hooks run, however it was installed, and this one. */
export async function installedPrograms(context: Context): Promise<InstalledProgram[]> {
  const { known, host, binary } = context;
  const dirsByPath = new Map<string, string[]>();
  const add = (path: string, dirs: string[] = []) =>
    dirsByPath.set(path, [...dirsByPath.get(path) ?? [], ...dirs]);
  for (const harness of known) {
    const dir = stateDir(harness.id, host);
    const recorded = await recordedProgram(harness.id, host);
    if (dir !== undefined && recorded !== undefined) add(recorded, [dir]);
    const site = await installedSite(context, harness);
    if (!isConnected(configState(harness, site))) continue;
    for (const { argv: [program] } of installedCalls(harness, site)) if (program) add(program);
  }
  const self = thisProcess();
  if (self.standalone) add(self.execPath);
  const names = new Set([binary, ...known.map((harness) => harness.binary)]);
  const programs: InstalledProgram[] = [];
  for (const [path, recordedIn] of dirsByPath) {
    const name = programName(path);
    if (names.has(name) && (await realOs.stat(path))?.kind === "file") {
      programs.push({ path, name, recordedIn });
    }
  }
  return programs;
}
