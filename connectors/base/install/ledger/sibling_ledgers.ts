import { dirOf, nameOf, within } from "../../fs/file_path.ts";
import { type Ledger, readLedger } from "./ledger.ts";
import type { Os } from "../../fs/os.ts";

/**
 * The ledgers of the other harnesses of this user. They share the program
 * `signet-connect` and directories such as ~/.config/signet, which the last
 * uninstall removes.
 */
export async function siblingLedgers(
  os: Os,
  stateDir: string,
  leaving: readonly string[] = [],
): Promise<Ledger[]> {
  const all = dirOf(stateDir);
  if ((await os.stat(all))?.kind !== "directory") return [];
  const ledgers: Ledger[] = [];
  for (const name of await os.list(all).catch(() => [])) {
    if (name === nameOf(stateDir) || leaving.includes(name)) continue;
    const reading = await readLedger(os, within(all, name));
    if (reading.kind === "ok") ledgers.push(reading.ledger);
  }
  return ledgers;
}
