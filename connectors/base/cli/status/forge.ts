import { configDir, join, type Surroundings } from "../../../../hooks/state/paths.ts";
import { findProgram, versionOf } from "../../programs/find_program.ts";

/** Signet's own agent. It talks to the daemon directly, so there is nothing to connect. */
export interface Forge {
  readonly harness: "forge";
  readonly status: "native";
  readonly there: boolean;
  readonly program?: string;
  readonly version?: string;
}

/** Looks on PATH and where Signet installs it. */
export async function findForge(host: Surroundings): Promise<Forge> {
  const dir = configDir(host);
  const name = host.os === "windows" ? "forge.exe" : "forge";
  const program = findProgram(["forge"], host, dir === undefined ? [] : [join(host, dir, "bin", name)]);
  const version = program === undefined ? undefined : await versionOf(program);
  return { harness: "forge", status: "native", there: program !== undefined, program, version };
}
