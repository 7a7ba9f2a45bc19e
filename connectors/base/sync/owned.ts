import { type Os, realOs } from "../fs/os.ts";
import { type Ledger, readLedger } from "../install/ledger/ledger.ts";

/** What earlier installs and syncs wrote, from the ledger. */
export interface Owned {
  /** Generated files: path to the digests of the contents that were written. */
  readonly files: ReadonlyMap<string, readonly string[]>;
  /** Skill links: path to target. */
  readonly links: ReadonlyMap<string, string>;
}

/** Without a ledger, a file is ours only if it equals what would be written. */
export const NOTHING_OWNED: Owned = { files: new Map(), links: new Map() };

export async function ownedAt(stateDir: string, os: Os = realOs): Promise<Owned> {
  const reading = await readLedger(os, stateDir);
  return reading.kind === "ok" ? ownedBy(reading.ledger) : NOTHING_OWNED;
}

export function ownedBy(ledger: Ledger | undefined): Owned {
  return {
    files: new Map(
      ledger?.files.filter(({ kind }) => kind === "file").map(({ path, after }) => [path, after]),
    ),
    links: new Map(ledger?.links.map(({ path, to }) => [path, to])),
  };
}
