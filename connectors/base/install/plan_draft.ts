import type { OriginalEntry } from "./original_signet.ts";
import type { FileRecord, Ledger, LinkRecord } from "./ledger.ts";
import { backupsDir, LEDGER_VERSION, ledgerPath } from "./ledger.ts";
import { dirOf, nameOf, within } from "../fs/file_path.ts";
import type { Os } from "../fs/os.ts";
import type { Change, PlanPart, PlanRequest } from "./plan.ts";
import { same } from "../edit/json_value.ts";

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
  readonly #dirs: string[] = [];

  constructor(
    readonly os: Os,
    readonly request: PlanRequest,
    readonly old: Ledger | undefined,
    /** What other harnesses have installed. */
    readonly siblings: readonly Ledger[],
  ) {}

  oldFile(path: string): FileRecord | undefined {
    return this.old?.files.find((file) => file.path === path);
  }

  /** What another harness's install says of a path. */
  siblingFile(path: string): FileRecord | undefined {
    return this.siblings.flatMap(({ files }) => files).find((file) => file.path === path);
  }

  /** The copy of a file as it was without us, if it is still there and whole. */
  backup(name: string): Promise<Uint8Array | undefined> {
    return this.os.read(within(backupsDir(this.request.stateDir), name));
  }

  /** A name for a copy that no record uses yet. */
  backupName(path: string): string {
    const used = new Set(
      [...this.old?.files ?? [], ...this.files].flatMap((file) => [file.backup, ...file.olderBackups ?? []]),
    );
    const base = nameOf(path).replace(/[^\w.-]/g, "_").slice(-80);
    for (let n = 1;; n++) {
      const name = `${n}-${base}`;
      if (!used.has(name) && !this.backups.some((backup) => backup.name === name)) return name;
    }
  }

  /** Notes the directories that a file needs and that are not there. */
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

  /** Directories that another harness's install made and this one uses too: whichever goes last removes them. */
  #sharedDirs(): string[] {
    const theirs = new Set(this.siblings.flatMap(({ dirs }) => dirs));
    const shared: string[] = [];
    for (const { path } of [...this.files, ...this.links, { path: ledgerPath(this.request.stateDir) }]) {
      for (let dir = dirOf(path); dir !== dirOf(dir); dir = dirOf(dir)) {
        if (theirs.has(dir)) shared.push(dir);
      }
    }
    return shared;
  }

  /** The finished part. `verb` install keeps a ledger; uninstall keeps one only for what it had to leave. */
  part(verb: "install" | "uninstall"): PlanPart {
    const { request, old } = this;
    const dirs = [...new Set([...old?.dirs ?? [], ...this.#dirs, ...this.#sharedDirs()])];
    const empty = this.files.length + this.links.length === 0;
    const ledger: Ledger | undefined = empty ? undefined : {
      version: LEDGER_VERSION,
      harness: request.harness,
      files: inOrder(this.files, old?.files),
      links: inOrder(this.links, old?.links),
      dirs,
    };
    return {
      verb,
      request,
      changes: this.changes,
      ...old ? { onto: old } : {},
      ...ledger ? { ledger } : {},
      ledgerChanges: !same(ledger ?? null, old ?? null),
      backups: this.backups,
      warnings: this.warnings,
      conflicts: this.conflicts,
      problems: this.problems,
      signetCli: this.signetCli,
    };
  }
}

/** What was there before, in the order it had: a ledger that says the same is the same. */
function inOrder<T extends { readonly path: string }>(now: readonly T[], before: readonly T[] = []): T[] {
  const place = (one: T) => {
    const at = before.findIndex(({ path }) => path === one.path);
    return at === -1 ? before.length : at;
  };
  return [...now].sort((a, b) => place(a) - place(b));
}
