import type { Surroundings } from "../../../hooks/state/paths.ts";
import { linkedSkills } from "./linked_skills.ts";
import { shellCommand } from "../hooks_config/hook_command.ts";
import type { Harness, IdentityTarget, Site } from "../harness.ts";
import { type Ledger, readLedger } from "../install/ledger.ts";
import { type Os, realOs } from "../fs/os.ts";

/** One harness's part of a sync. */
export interface SyncJob {
  /** The harness's id. */
  readonly harness: string;
  /** What a person types to run the connector. */
  readonly binary: string;
  /** What follows a command's name: `-H pi` where one binary serves every harness. */
  readonly which?: string;
  readonly agentId: string;
  /** `~/.local/state/signet/<harness>`. */
  readonly stateDir: string;
  /** Undefined on a machine that has no workspace. */
  readonly workspace: string | undefined;
  /** Where the descriptor puts the identity; undefined where it has no place, or `--no-identity` was given. */
  readonly identity?: IdentityTarget;
  /** Where skills are linked to; undefined where none are, or `--no-skills` was given. */
  readonly skillsDir?: string;
  readonly host?: Surroundings;
}

/** The sync of a harness as it is installed at `site`. */
export function syncJob(harness: Harness, site: Site, stateDir: string): SyncJob {
  const { agentId, workspace, flags, host } = site;
  const [program = harness.binary, , ...which] = site.argv("sync");
  return {
    harness: harness.id,
    // Quoted only where it must be: people read it, and models copy it.
    binary: /^[\w./:\\-]+$/.test(program) ? program : shellCommand(host, [program]),
    which: which.join(" "),
    agentId,
    stateDir,
    workspace,
    identity: flags.identity ? harness.identity(site) : undefined,
    skillsDir: flags.skills ? linkedSkills(harness, site) : undefined,
    host,
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
  /** What was left alone or left out, and why. */
  readonly warnings: readonly string[];
  /** What a person should know, though nothing is wrong. */
  readonly notes: readonly string[];
}

/** What the ledger says is ours. */
export interface Owned {
  /** Files that are wholly ours: path to the digests of what we wrote. */
  readonly files: ReadonlyMap<string, readonly string[]>;
  /** Skill links: path to target. */
  readonly links: ReadonlyMap<string, string>;
}

/** What is known where there is no ledger: a file is ours only if it is just what we would write. */
export const NOTHING: Owned = { files: new Map(), links: new Map() };

export async function ownedAt(stateDir: string, os: Os = realOs): Promise<Owned> {
  const reading = await readLedger(os, stateDir);
  return reading.kind === "ok" ? ownedBy(reading.ledger) : NOTHING;
}

export function ownedBy(ledger: Ledger | undefined): Owned {
  return {
    files: new Map(
      ledger?.files.filter(({ kind }) => kind === "file").map(({ path, after }) => [path, after]),
    ),
    links: new Map(ledger?.links.map(({ path, to }) => [path, to])),
  };
}
