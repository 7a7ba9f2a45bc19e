import type { Surroundings } from "../../../hooks/paths.ts";
import type { Harness, IdentityTarget, Site } from "../harness.ts";
import type { Ledger } from "../ledger.ts";

/** One harness's part of a sync. */
export interface SyncJob {
  /** The harness's id. */
  readonly harness: string;
  /** What a person types to run the connector. */
  readonly binary: string;
  readonly agentId: string;
  /** `~/.local/state/signet/<harness>`. */
  readonly stateDir: string;
  /** Undefined on a machine that has no workspace. */
  readonly workspace: string | undefined;
  /** Where the descriptor puts the identity; undefined where it has no place, or `--no-identity` was given. */
  readonly identity?: IdentityTarget;
  /** The harness's skill directory; undefined where it has none, or `--no-skills` was given. */
  readonly skillsDir?: string;
  readonly host?: Surroundings;
}

/** The sync of an installed harness; `binary` is what a person types, by default the connector's name. */
export function syncJob(harness: Harness, site: Site, stateDir: string, binary = harness.binary): SyncJob {
  return {
    harness: harness.id,
    binary,
    agentId: site.agentId,
    stateDir,
    workspace: site.workspace,
    identity: site.flags.identity ? harness.identity(site) : undefined,
    skillsDir: site.flags.skills ? harness.skillsDir(site) : undefined,
    host: site.host,
  };
}

/** Something that a sync did. */
export interface SyncChange {
  readonly kind: "write" | "keep" | "link" | "unlink";
  readonly path: string;
}

export interface SyncReport {
  readonly harness: string;
  readonly changes: readonly SyncChange[];
  /** Sentences for the user: what was left alone or left out, and why. */
  readonly notes: readonly string[];
}

/** What the ledger says is ours. */
export interface Owned {
  /** Files that are wholly ours: path to the digests of what we wrote. */
  readonly files: ReadonlyMap<string, readonly string[]>;
  /** Skill links: path to target. */
  readonly links: ReadonlyMap<string, string>;
}

export function ownedBy(ledger: Ledger | undefined): Owned {
  return {
    files: new Map(
      ledger?.files.filter(({ kind }) => kind === "file").map(({ path, after }) => [path, after]),
    ),
    links: new Map(ledger?.links.map(({ path, to }) => [path, to])),
  };
}
