import { stateDir } from "../../../hooks/state/paths.ts";
import type { Context } from "../../base/cli/command.ts";
import { installedSite } from "../../base/cli/installed_site.ts";
import { programName } from "../../base/hooks_config/hook_command.ts";
import { installedCalls } from "../../base/doctor/calls.ts";
import { recordedPlace, thisProcess } from "../../base/programs/installed_program.ts";
import { throughLinks } from "../../base/fs/file_path.ts";
import { realOs } from "../../base/fs/os.ts";
import { configState, isConnected } from "../../base/install/install_state.ts";

/** A Signet connector program on this machine. */
export interface InstalledProgram {
  readonly path: string;
  /** `signet-pi` */
  readonly name: string;
  /** The state directories of the harnesses whose ledger names it. */
  readonly recordedIn: readonly string[];
  /** The links through which hooks call it. */
  readonly links: readonly string[];
}

/** Every connector program that a harness's hooks run, however it was installed, and this one. */
export async function installedPrograms(context: Context): Promise<InstalledProgram[]> {
  const { known, host, binary } = context;
  const names = new Set([binary, ...known.map((harness) => harness.binary)]);
  const programs = new Map<string, { recordedIn: Set<string>; links: Set<string> }>();
  const add = async (called: string, dir?: string) => {
    const real = await throughLinks(realOs, called).catch(() => called);
    const path = names.has(programName(real)) ? real : called;
    const program = programs.get(path) ?? { recordedIn: new Set(), links: new Set() };
    programs.set(path, program);
    if (dir !== undefined) program.recordedIn.add(dir);
    if (path !== called) program.links.add(called);
  };
  for (const harness of known) {
    const dir = stateDir(harness.id, host);
    const recorded = await recordedPlace(harness.id, host);
    if (recorded !== undefined) await add(recorded.path, dir);
    const site = await installedSite(context, harness);
    if (!isConnected(configState(harness, site))) continue;
    for (const { argv: [program] } of installedCalls(harness, site)) if (program) await add(program);
  }
  const self = thisProcess();
  if (self.standalone) await add(self.execPath);
  const found: InstalledProgram[] = [];
  for (const [path, { recordedIn, links }] of programs) {
    const name = programName(path);
    if (names.has(name) && (await realOs.stat(path))?.kind === "file") {
      found.push({ path, name, recordedIn: [...recordedIn], links: [...links] });
    }
  }
  return found;
}
