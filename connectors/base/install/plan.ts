import type { OriginalEntry } from "./original_signet.ts";
import type { Target } from "../harness.ts";
import type { Ledger, LinkRecord } from "./ledger.ts";

/** One thing that applying a plan does. */
export type Change =
  | {
    readonly kind: "write";
    /** The file as the harness names it. */
    readonly path: string;
    /** The file that is written: what `path` is, or links to. */
    readonly real: string;
    readonly target: Target["kind"];
    /** Undefined where there is no file yet. */
    readonly before?: Uint8Array;
    readonly after: Uint8Array;
    readonly mode: number;
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
    readonly to: string; /** Our old link there. */
    readonly was?: string;
  }
  | { readonly kind: "unlink"; readonly path: string; readonly was: string }
  /** Programs are large: they are copied, and not held in memory. */
  | { readonly kind: "program"; readonly path: string; readonly from: string; readonly replaces: boolean }
  | { readonly kind: "remove-program"; readonly path: string };

/** What was asked, so that a plan can be made again when a file has changed meanwhile. */
export interface PlanRequest {
  readonly harness: string;
  /** `~/.local/state/signet/<harness>`: ledger and backups. */
  readonly stateDir: string;
  /** For uninstall: where to look for our marks if the ledger is lost. */
  readonly targets: readonly Target[];
  /** Install: leave alone what an earlier install did and these targets do not name. */
  readonly partial?: boolean;
  /** Install, partial: links of ours that go, because the skills behind them are gone. */
  readonly drop?: readonly LinkRecord[];
  /** Install: take the entries of the original Signet CLI out. */
  readonly replaceSignetCli?: boolean;
  /** Uninstall: files that stay, such as the credentials. */
  readonly keep?: readonly string[];
  /** Uninstall: harnesses that are gone by then, so that what they share with this one is not kept for them. */
  readonly leaving?: readonly string[];
}

/** One harness's share of a plan. */
export interface PlanPart {
  readonly verb: "install" | "uninstall";
  readonly request: PlanRequest;
  readonly changes: readonly Change[];
  /** The ledger as it was when the plan was made. */
  readonly onto?: Ledger;
  /** The ledger as it will be; undefined when nothing of ours is left. */
  readonly ledger?: Ledger;
  readonly ledgerChanges: boolean;
  /** Copies to make before the first change, by name in `backups/`. */
  readonly backups: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  /** What a person should know; nothing is in the way. */
  readonly warnings: readonly string[];
  /** Values of others that stand where ours would go; they stay. */
  readonly conflicts: readonly string[];
  /** Why this plan cannot be applied. */
  readonly problems: readonly string[];
  readonly signetCli: readonly (OriginalEntry & { readonly file: string })[];
}

/** What will change in which file, as data: to show, to check, to apply. */
export interface Plan {
  readonly parts: readonly PlanPart[];
  readonly changes: readonly Change[];
  readonly warnings: readonly string[];
  readonly conflicts: readonly string[];
  readonly problems: readonly string[];
  readonly signetCli: readonly (OriginalEntry & { readonly file: string })[];
}

/** One plan of several, as `signet-connect` applies for all harnesses at once. */
export function combinePlans(...plans: readonly Plan[]): Plan {
  return planOf(plans.flatMap((plan) => plan.parts));
}

export function planOf(parts: readonly PlanPart[]): Plan {
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
