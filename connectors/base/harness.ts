import type { HookProfile } from "../../hooks/profile.ts";
import type { Surroundings } from "../../hooks/paths.ts";
import type { Edit, Format, Json } from "./edit/edit.ts";

/** What of Signet a harness can carry; README, `capabilities` and the inspector print this. */
export type Facet =
  | "session-start"
  | "prompt-submit"
  | "pre-compaction"
  | "post-compaction"
  | "session-end"
  | "tools"
  | "identity";

/** `yes`, or what is missing, in words for a person. */
export type Support = "yes" | { readonly partly: string } | { readonly no: string };

/** What `install` knows when it asks a descriptor what to write. */
export interface Site {
  readonly host: Surroundings;
  readonly home: string;
  /** The program and first arguments that a hook or MCP entry calls: `argv("hook", "session-start")`. */
  argv(...args: string[]): string[];
  readonly agentId: string;
  /** The Signet workspace on this machine, if there is one. */
  readonly workspace?: string;
  readonly flags: InstallFlags;
  exists(path: string): boolean;
  readText(path: string): string | undefined;
  /** What a config file holds now; undefined where it is absent or does not parse. */
  peek(path: string, format: Format): Json | undefined;
}

export interface InstallFlags {
  readonly mcp: boolean;
  readonly identity: boolean;
  readonly skills: boolean;
  readonly trustHooks?: boolean;
  readonly trustTools?: boolean;
  readonly setWorkspace?: boolean;
  readonly legacyHooks?: boolean;
  readonly replaceSignetCli?: boolean;
}

/** One file that install touches. */
export type Target =
  | { readonly kind: "edit"; readonly path: string; readonly format: Format; readonly edits: readonly Edit[] }
  /**
   * A text file that is wholly ours, such as an embedded plugin or the composed
   * identity. A file there that `owns` does not know is the user's, and stays.
   */
  | { readonly kind: "file"; readonly path: string; readonly text: string; owns(text: string): boolean }
  /** Our text between the Signet marks, in a file that may be the user's. */
  | { readonly kind: "block"; readonly path: string; readonly text: string }
  /** A link `path` -> `to`, for skills. What else stands at `path` is left alone. */
  | { readonly kind: "link"; readonly path: string; readonly to: string }
  /** The credentials: 0600, in a directory that is 0700, and never shown. */
  | { readonly kind: "secret"; readonly path: string; readonly text: string }
  /** A copy of an executable, 0755; it may be running while it is replaced. */
  | { readonly kind: "program"; readonly path: string; readonly from: string };

/**
 * Where the composed identity goes. Where there is no file, or ours, it is ours
 * whole. A file that the user wrote is left alone under the rule `own`; under
 * `block` it keeps its text, and ours goes between the Signet marks in it.
 */
export interface IdentityTarget {
  readonly path: string;
  readonly rule: "own" | "block";
}

/** Something that is so, or is not, on this machine; with the step that mends it. */
export interface Finding {
  readonly ok: boolean;
  readonly message: string;
  readonly fix?: string;
}

/** A harness, as data and a few pure functions. The engine does the rest. */
export interface Harness extends HookProfile {
  readonly displayName: string;
  /** `signet-pyagent` */
  readonly binary: string;
  /** The harness's own program, as found on PATH. */
  readonly programs: readonly string[];
  readonly fidelity: { readonly [F in Facet]: Support };
  /** What is assumed of the harness and was not seen on a running program. */
  readonly assumed?: string;
  /** The directory that shows that the harness is on this machine. */
  configDir(site: Pick<Site, "host" | "home">): string;
  /** The file that holds our hooks. */
  configPath(site: Pick<Site, "host" | "home" | "exists">): string;
  targets(site: Site): Target[];
  identity(site: Site): IdentityTarget | undefined;
  skillsDir(site: Site): string | undefined;
  /** What a person has to know after an install: a restart, a trust step. */
  notes(site: Site): string[];
  /** What only the harness can say of an install: are our hooks trusted? Imported by `status` and `doctor` alone. */
  readonly inspector?: () => Promise<{ inspect(site: Site): Promise<Finding[]> }>;
}
