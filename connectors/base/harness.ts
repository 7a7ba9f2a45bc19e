import type { HookProfile } from "../../hooks/profile.ts";
import type { Surroundings } from "../../hooks/state/paths.ts";
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
  /** The environment and system. */
  readonly host: Surroundings;
  /** The user's home. */
  readonly home: string;
  /** The program and first arguments that a hook or MCP entry calls: `argv("hook", "session-start")`. */
  argv(...args: string[]): string[];
  /** Whose memory it is. */
  readonly agentId: string;
  /** The Signet workspace on this machine, if there is one. */
  readonly workspace?: string;
  /** The switches of the install. */
  readonly flags: InstallFlags;
  /** Whether there is something at a path. */
  exists(path: string): boolean;
  /** A file's text; undefined where it cannot be read. */
  readText(path: string): string | undefined;
  /** What a config file holds now; undefined where it is absent or does not parse. */
  peek(path: string, format: Format): Json | undefined;
}

/** The switches of an install. */
export interface InstallFlags {
  /** Register the MCP server. */
  readonly mcp: boolean;
  /** Write an identity file. */
  readonly identity: boolean;
  /** Link skills. */
  readonly skills: boolean;
  /** Codex: write the trust record for our hooks. */
  readonly trustHooks?: boolean;
  /** Gemini CLI: let the tools run without a question. */
  readonly trustTools?: boolean;
  /** OpenClaw: make the Signet workspace the agents' workspace. */
  readonly setWorkspace?: boolean;
  /** OpenClaw: install the internal hook instead of the plugin. */
  readonly legacyHooks?: boolean;
  /** Remove the hooks of the original Signet CLI. */
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
  /** The instruction file that the harness reads. */
  readonly path: string;
  /** What happens to a file that the user wrote. */
  readonly rule: "own" | "block";
}

/** Something that is so, or is not, on this machine; with the step that mends it. */
export interface Finding {
  /** Whether it is as it should be. */
  readonly ok: boolean;
  /** What was found, as a sentence. */
  readonly message: string;
  /** The step that mends it. */
  readonly fix?: string;
}

/** A harness, as data and a few pure functions. The engine does the rest. */
export interface Harness extends HookProfile {
  /** Its name for people. */
  readonly displayName: string;
  /** `signet-pyagent` */
  readonly binary: string;
  /** The harness's own program, as found on PATH. */
  readonly programs: readonly string[];
  /** What of Signet it can carry. */
  readonly fidelity: { readonly [F in Facet]: Support };
  /** What is assumed of the harness and was not seen on a running program. */
  readonly assumed?: string;
  /** The directory that shows that the harness is on this machine. */
  configDir(site: Pick<Site, "host" | "home">): string;
  /** The file that holds our hooks. */
  configPath(site: Pick<Site, "host" | "home" | "exists">): string;
  /** Every file that an install touches. */
  targets(site: Site): Target[];
  /** Where the composed identity goes; undefined where it reads none. */
  identity(site: Site): IdentityTarget | undefined;
  /** Where it reads skills; undefined where it reads none. */
  skillsDir(site: Site): string | undefined;
  /** It reads `~/.agents/skills` too, so that nothing is linked from there. */
  readonly readsAgentSkills?: boolean;
  /** What a person has to know after an install: a restart, a trust step. */
  notes(site: Site): string[];
  /** What only the harness can say of an install: are our hooks trusted? Imported by `status` and `doctor` alone. */
  readonly inspector?: () => Promise<{ inspect(site: Site): Promise<Finding[]> }>;
}
