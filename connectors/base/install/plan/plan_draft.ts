import type { OriginalEntry } from "../original/original_signet.ts";
import type { FileRecord, Ledger, LinkRecord } from "../ledger/ledger.ts";
import { backupsDir, LEDGER_VERSION, ledgerPath } from "../ledger/ledger.ts";
import { dirOf, nameOf, within } from "../../fs/file_path.ts";
import type { Target } from "../../harness.ts";
import type { Os } from "../../fs/os.ts";
import type { Change, HarnessPlan, PlanInput } from "./plan.ts";
import { same } from "../../edit/json_value.ts";
import { sameBytes } from "../../fs/same_bytes.ts";

/** A part of a plan while it is being made. */
export class PlanDraft {
  readonly changes: Change[] = [];
  readonly backups: { name: string; bytes: Uint8Array }[] = [];
  readonly warnings: string[] = [];
  readonly conflicts: string[] = [];
  readonly problems: string[] = [];
  readonly signetCli: (OriginalEntry & { file: string })[] = [];
  readonly files: FileRecord[] = [];
  readonly links: LinkRecord[] = [];
  /** Backups that are no longer needed, because their files are given back. */
  readonly released: string[] = [];
  #marks?: Promise<readonly Target[]>;
  readonly #dirs: string[] = [];

  constructor(
    readonly os: Os,
    readonly input: PlanInput,
    readonly old: Ledger | undefined,
    /** The ledgers of other harnesses. */
    readonly siblings: readonly Ledger[],
  ) {}

  /** What the harness's connector would write: read only if the ledger does not suffice. */
  marks(): Promise<readonly Target[]> {
    const { marks, targets } = this.input;
    return this.#marks ??= marks?.() ?? Promise.resolve(targets);
  }

  release({ backup, olderBackups }: FileRecord): void {
    this.released.push(...olderBackups ?? [], ...backup ? [backup] : []);
  }

  oldFile(path: string): FileRecord | undefined {
    return this.old?.files.find((file) => file.path === path);
  }

  /** The record of another harness for a path. */
  siblingFile(path: string): FileRecord | undefined {
    return this.siblings.flatMap(({ files }) => files).find((file) => file.path === path);
  }

  /** The backup with this name, if it exists. */
  backup(name: string): Promise<Uint8Array | undefined> {
    return this.os.read(within(backupsDir(this.input.stateDir), name));
  }

  /** The names in `backups/`. */
  async backupNames(): Promise<string[]> {
    const dir = backupsDir(this.input.stateDir);
    return (await this.os.stat(dir))?.kind === "directory" ? await this.os.list(dir) : [];
  }

  /** Adds a backup of a file under an unused name: one that a lost ledger listed is not overwritten. */
  async addBackup(path: string, bytes: Uint8Array): Promise<string> {
    const used = new Set([
      ...this.backups.map(({ name }) => name),
      ...[...this.old?.files ?? [], ...this.files].flatMap((
        file,
      ) => [file.backup, ...file.olderBackups ?? []]),
    ]);
    const present = new Set(await this.backupNames());
    const base = nameOf(path).replace(/[^\w.-]/g, "_").slice(-80);
    for (let n = 1;; n++) {
      const name = `${n}-${base}`;
      if (used.has(name)) continue;
      if (present.has(name)) {
        // An install that was killed before it wrote its ledger made the same backup.
        const found = await this.backup(name).catch(() => undefined);
        if (!found || !sameBytes(found, bytes)) continue;
      }
      this.backups.push({ name, bytes });
      return name;
    }
  }

  /** Records the missing directories of a file. */
  async needsDir(path: string): Promise<void> {
    const missing: string[] = [];
    for (let dir = dirOf(path); !this.#dirs.includes(dir); dir = dirOf(dir)) {
      const found = await this.os.stat(dir);
      if (found?.kind === "directory" || dir === dirOf(dir)) break;
      if (found) {
        this.problems.push(
          `${dir} is not a directory, so ${path} cannot be written; move it away and try again`,
        );
        return;
      }
      missing.unshift(dir);
    }
    this.#dirs.push(...missing);
  }

  /** The finished part. An uninstall keeps a ledger only for what it could not remove. */
  part(verb: "install" | "uninstall"): HarnessPlan {
    const { input, old } = this;
    const shared = sharedDirs(this, input.stateDir, this.siblings);
    const dirs = [...new Set([...old?.dirs ?? [], ...this.#dirs, ...shared])];
    const empty = this.files.length + this.links.length === 0;
    const partial = old ? old.partial && input.partial : input.partial;
    const ledger: Ledger | undefined = empty ? undefined : {
      version: LEDGER_VERSION,
      harness: input.harness,
      files: inOrder(this.files, old?.files),
      links: inOrder(this.links, old?.links),
      dirs,
      ...partial ? { partial } : {},
    };
    return {
      verb,
      input,
      changes: this.changes,
      ...old ? { onto: old } : {},
      ...ledger ? { ledger } : {},
      ledgerChanges: !same(ledger ?? null, old ?? null),
      backups: this.backups,
      released: this.released,
      warnings: this.warnings,
      conflicts: this.conflicts,
      problems: this.problems,
      signetCli: this.signetCli,
    };
  }
}

/** Directories of other harnesses that this one uses too: the last uninstall removes them. */
export function sharedDirs(
  { files, links }: Pick<Ledger, "files" | "links">,
  stateDir: string,
  siblings: readonly Ledger[],
): string[] {
  const siblingDirs = new Set(siblings.flatMap(({ dirs }) => dirs));
  const shared: string[] = [];
  for (const { path } of [...files, ...links, { path: ledgerPath(stateDir) }]) {
    for (let dir = dirOf(path); dir !== dirOf(dir); dir = dirOf(dir)) {
      if (siblingDirs.has(dir)) shared.push(dir);
    }
  }
  return shared;
}

/** Keeps the order of the old ledger, so that an unchanged ledger compares equal. */
function inOrder<T extends { readonly path: string }>(now: readonly T[], before: readonly T[] = []): T[] {
  const place = (record: T) => {
    const at = before.findIndex(({ path }) => path === record.path);
    return at === -1 ? before.length : at;
  };
  return [...now].sort((a, b) => place(a) - place(b));
}
