import type { OriginalEntry } from "../original/original_signet.ts";
import type { Target } from "../../harness.ts";
import type { Ledger, LinkRecord } from "../ledger/ledger.ts";

/** One change of a plan. */
export type Change =
  | {
    readonly kind: "write";
    /** The file as the harness names it. */
    readonly path: string;
    /** The file that is written: `path`, or the target of its link. */
    readonly real: string;
    readonly target: Target["kind"];
    /** Undefined if the file does not exist. */
    readonly before?: Uint8Array;
    readonly after: Uint8Array;
    readonly mode: number;
    /** What happens to the file besides its content, such as an owner that cannot be kept. */
    readonly notes?: readonly string[];
  }
  | {
    readonly kind: "remove";
    readonly path: string;
    readonly real: string;
    readonly target: Target["kind"];
    readonly before: Uint8Array;
  }
  | {
    readonly kind: "link";
    readonly path: string;
    readonly to: string;
    /** The target of our previous link. */
    readonly was?: string;
  }
  | { readonly kind: "unlink"; readonly path: string; readonly was: string }
  /** Programs are large: they are copied, not kept in memory. */
  | { readonly kind: "program"; readonly path: string; readonly from: string; readonly replaces: boolean }
  | { readonly kind: "remove-program"; readonly path: string };

/** The input of a plan, so that it can be made again if a file changes. */
export interface PlanInput {
  readonly harness: string;
  /** `~/.local/state/signet/<harness>`: ledger and backups. */
  readonly stateDir: string;
  /** Install: what to write. Uninstall: where to search for our marks if the ledger is lost. */
  readonly targets: readonly Target[];
  /** Uninstall: `targets`, computed only if the ledger does not suffice. */
  readonly marks?: () => Promise<readonly Target[]>;
  /** Install: keep what an earlier install wrote outside these targets. */
  readonly partial?: boolean;
  /** Install, partial: links to remove, because their skills no longer exist. */
  readonly drop?: readonly LinkRecord[];
  /** Install: remove the entries of the original Signet CLI. */
  readonly replaceSignetCli?: boolean;
  /** Uninstall: files that stay, such as the credentials. */
  readonly keep?: readonly string[];
  /** Uninstall: harnesses that are uninstalled too, so that shared files are not kept for them. */
  readonly leaving?: readonly string[];
}

/** The plan of one harness. */
export interface HarnessPlan {
  readonly verb: "install" | "uninstall";
  readonly input: PlanInput;
  readonly changes: readonly Change[];
  /** The ledger as it was when the plan was made. */
  readonly onto?: Ledger;
  /** The new ledger; undefined if nothing is installed any more. */
  readonly ledger?: Ledger;
  readonly ledgerChanges: boolean;
  /** Backups to write before the first change, by name in `backups/`. */
  readonly backups: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  /** Backups whose files are given back. All others stay until the user deletes them. */
  readonly released: readonly string[];
  /** Messages for the user that do not stop the plan. */
  readonly warnings: readonly string[];
  /** Values of other programs at the paths of our entries; they are kept. */
  readonly conflicts: readonly string[];
  /** The reasons why this plan cannot be applied. */
  readonly problems: readonly string[];
  readonly signetCli: readonly (OriginalEntry & { readonly file: string })[];
}

/** The changes to files as data: to show, to check, to apply. */
export interface Plan {
  readonly parts: readonly HarnessPlan[];
  readonly changes: readonly Change[];
  readonly warnings: readonly string[];
  readonly conflicts: readonly string[];
  readonly problems: readonly string[];
  readonly signetCli: readonly (OriginalEntry & { readonly file: string })[];
}

/** Combines the plans of several harnesses into one. */
export function combinePlans(...plans: readonly Plan[]): Plan {
  return planOf(plans.flatMap((plan) => plan.parts));
}

export function planOf(parts: readonly HarnessPlan[]): Plan {
  return {
    parts,
    changes: parts.flatMap((part) => part.changes),
    warnings: [...new Set(parts.flatMap((part) => part.warnings))],
    conflicts: [...new Set(parts.flatMap((part) => part.conflicts))],
    problems: [...new Set(parts.flatMap((part) => part.problems))],
    signetCli: parts.flatMap((part) => part.signetCli),
  };
}

/** True if applying the plan would do nothing. */
export function isEmpty(plan: Plan): boolean {
  return plan.parts.every((part) => part.changes.length === 0 && !part.ledgerChanges);
}
