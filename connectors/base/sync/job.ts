import type { Surroundings } from "../../../hooks/paths.ts";
import type { Harness, IdentityTarget, Site } from "../harness.ts";

/** One harness's part of a sync. */
export interface SyncJob {
  /** The harness's id. */
  readonly harness: string;
  /** What a person types to run the connector. */
  readonly binary: string;
  readonly agentId: string;
  /** Undefined on a machine that has no workspace. */
  readonly workspace: string | undefined;
  /** Where the descriptor puts the identity; undefined where it has no place, or `--no-identity` was given. */
  readonly identity?: IdentityTarget;
  /** The harness's skill directory; undefined where it has none, or `--no-skills` was given. */
  readonly skillsDir?: string;
  readonly host?: Surroundings;
}

/** The sync of an installed harness; `binary` is what a person types, by default the connector's name. */
export function syncJob(harness: Harness, site: Site, binary = harness.binary): SyncJob {
  return {
    harness: harness.id,
    binary,
    agentId: site.agentId,
    workspace: site.workspace,
    identity: site.flags.identity ? harness.identity(site) : undefined,
    skillsDir: site.flags.skills ? harness.skillsDir(site) : undefined,
    host: site.host,
  };
}

/** A change that a sync makes. */
export type Change =
  | { readonly kind: "write"; readonly path: string; readonly text: string }
  /** A file that is as we would write it, and that the ledger does not know (its state was deleted). */
  | { readonly kind: "adopt"; readonly path: string; readonly digest: string }
  /** The user's edited version of our file, copied to `as` before ours replaces it. */
  | { readonly kind: "keep"; readonly path: string; readonly as: string }
  | { readonly kind: "link"; readonly path: string; readonly to: string }
  | { readonly kind: "unlink"; readonly path: string; readonly to: string };

export interface SyncReport {
  readonly harness: string;
  readonly changes: readonly Change[];
  /** Sentences for the user: what was left alone or left out, and why. */
  readonly notes: readonly string[];
}

/** What a person is told about a change; an edited file that was kept has a note of its own. */
export function changeSentence(change: Change): string | undefined {
  switch (change.kind) {
    case "write":
      return `Wrote ${change.path}`;
    case "link":
      return `Linked ${change.path} to ${change.to}`;
    case "unlink":
      return `Removed ${change.path}, whose skill is gone`;
    default:
      return undefined;
  }
}

/** What the ledger says is ours. */
export interface Owned {
  /** Generated files: path to the SHA-256 of the bytes that we wrote. */
  readonly files: ReadonlyMap<string, string>;
  /** Skill links: path to target. */
  readonly links: ReadonlyMap<string, string>;
}

/** The ledger and the disk, as a sync needs them. */
export interface SyncDoor {
  /** Runs `work` alone among the installs, uninstalls and syncs of this harness. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  owned(): Promise<Owned>;
  /** Makes the changes in order, each file at once, and records them. */
  apply(changes: readonly Change[]): Promise<void>;
}
