import type { AgentEventName } from "../../hooks/agents/event.ts";
import type { AgentProfile } from "../../hooks/agents/profile.ts";
import type { EventName } from "../../hooks/event.ts";
import type { HookProfile } from "../../hooks/profile.ts";
import type { Surroundings } from "../../hooks/state/paths.ts";
import type { Edit, Format, Json, Path } from "./edit/edit.ts";

/** A feature of Signet that a harness may support. */
export type Facet =
  | "session-start"
  | "prompt-submit"
  | "pre-compaction"
  | "post-compaction"
  | "session-end"
  | "tools"
  | "identity";

/** What is missing from a feature, as text for a person. */
export type Limit = { readonly partly: string } | { readonly no: string };

/** Full support, or what is missing. */
export type Support = "yes" | Limit;

/** A program and its arguments. */
export interface Call {
  /** The program's path. */
  command: string;
  /** Its arguments. */
  args: string[];
}

/** The machine and the user: enough to find a harness's directory. */
export type Place = Pick<Site, "host" | "home">;

/** What a descriptor can use to decide which files and entries to write. */
export interface Site {
  /** The environment and operating system. */
  readonly host: Surroundings;
  /** The user's home directory. */
  readonly home: string;
  /** A path in the harness's directory, such as `path("rules/signet.md")`; `/` works on every system. */
  path(name: string): string;
  /** The command line that runs our program: `argv("hook", "session-start")`. */
  argv(...args: string[]): string[];
  /** The same command line, as program and arguments: `call("mcp")`. */
  call(...args: string[]): Call;
  /** The agent whose memory is used. */
  readonly agentId: string;
  /** The Signet workspace on this machine, if there is one. */
  readonly workspace?: string;
  /** The options of the install. */
  readonly flags: InstallFlags;
  /** The version of the harness's program; undefined if it is not known. */
  readonly version?: string;
  /** The events that this version knows. */
  readonly events: Harness["events"];
  /** The events of the agent mesh to install: none without `--agents`. */
  readonly agentEvents: HarnessAgents["events"];
  /** Whether a path exists. */
  exists(path: string): boolean;
  /** A file's text; undefined if it cannot be read. */
  readText(path: string): string | undefined;
  /** The top-level entries of a config file that have these keys; undefined if it is absent or does not parse. */
  peek(path: string, format: Format, keys: readonly string[]): Json | undefined;
}

/** The options of an install. */
export interface InstallFlags {
  /** Register the MCP server. */
  readonly mcp: boolean;
  /** Write an identity file. */
  readonly identity: boolean;
  /** Link skills. */
  readonly skills: boolean;
  /** Codex: write the trust record for our hooks. */
  readonly trustHooks?: boolean;
  /** Gemini CLI, Qwen Code: let the tools run without confirmation. */
  readonly trustTools?: boolean;
  /** OpenClaw: make the Signet workspace the agents' workspace. */
  readonly setWorkspace?: boolean;
  /** OpenClaw: install the internal hook instead of the plugin. */
  readonly legacyHooks?: boolean;
  /** Remove the hooks of the original Signet CLI. */
  readonly replaceSignetCli?: boolean;
  /** Let the agent take part in the agent mesh. */
  readonly agents?: boolean;
}

/** An entry of the user that gets another key. */
export interface Move {
  /** Where it is. */
  readonly from: Path;
  /** Where it goes. */
  readonly to: Path;
  /** The entry itself. */
  readonly value: Json;
}

/** Which entries of the user get another key when another file changes. */
export interface Moves {
  /** The JSON file whose positions the keys name; an earlier target. */
  readonly file: string;
  /** The entries to move, given what that file will hold. */
  entries(after: Json | undefined): readonly Move[];
}

/** One file that install touches. */
export type Target =
  | {
    readonly kind: "edit";
    readonly path: string;
    readonly format: Format;
    readonly edits: readonly Edit[];
    /** Entries of the user whose keys name positions in another file. */
    readonly moves?: Moves;
    /** Entries of the original Signet that have no command by which they could be recognised. */
    readonly originals?: readonly Path[];
    /** The entries of `edits` that are there already are the original Signet's: uninstall brings them back. */
    readonly ofOriginal?: boolean;
  }
  /**
   * A text file that we write whole, such as an embedded plugin or the composed
   * identity. An existing file that `owns` does not recognise is the user's, and stays.
   */
  | {
    readonly kind: "file";
    readonly path: string;
    readonly text: string;
    owns(text: string): boolean;
    /** Whether a text is the original Signet's, which has the same file name. */
    isOriginal?(text: string): boolean;
  }
  /**
   * A file that the original Signet wrote or edited. With `--replace-signet-cli` its part goes:
   * `without` returns what is left, or undefined if the file has nothing else.
   */
  | {
    readonly kind: "original";
    readonly path: string;
    /** What it is, to show to people. */
    readonly what: string;
    without(text: string): string | undefined;
  }
  /** Our text between the Signet marks, in a file that may be the user's. */
  | { readonly kind: "block"; readonly path: string; readonly text: string }
  /** A link `path` -> `to`, for skills. Anything else at `path` is left alone. */
  | { readonly kind: "link"; readonly path: string; readonly to: string }
  /** The credentials: mode 0600, in a directory with mode 0700, never shown. */
  | { readonly kind: "secret"; readonly path: string; readonly text: string }
  /** A copy of an executable, mode 0755; it may be running while it is replaced. */
  | { readonly kind: "program"; readonly path: string; readonly from: string };

/**
 * Where the composed identity goes. A file that does not exist, or that we
 * generated, is written whole. A file that the user wrote is left alone under the
 * rule `own`; under `block` our text goes between the Signet marks in it.
 */
export interface IdentityTarget {
  /** The instruction file that the harness reads. */
  readonly path: string;
  /** What happens to a file that the user wrote. */
  readonly rule: "own" | "block";
  /** A source of the identity that the harness reads itself: it is left out. */
  readonly omit?: string;
}

/** The result of one check, and how to fix it. */
export interface Finding {
  /** A stable name for scripts; `harness` if there is none. */
  readonly id?: string;
  /** Whether the check passed. */
  readonly ok: boolean;
  /** The result, as a sentence. */
  readonly message: string;
  /** How to fix it. */
  readonly fix?: string;
}

/** An event of a harness: its name there, and the timeout in the harness's unit and in milliseconds. */
export interface HarnessEvent {
  /** The harness's name for the event. */
  readonly native: string;
  /** The timeout as the harness's config spells it. */
  readonly timeout: number;
  /** The same timeout in milliseconds. */
  readonly timeoutMs: number;
  /** The first version of the program that knows the event; older ones do not get it. */
  readonly since?: string;
  /** Only versions below this one get the event, in place of one that they lack. */
  readonly before?: string;
  /** The tools for which the hook does not run; it runs for every other tool, and for those of MCP servers. */
  readonly except?: readonly string[];
}

/** A run of a harness that answers one prompt on standard output and ends. Permissions are the user's. */
export interface Headless {
  /** The arguments of the program. */
  readonly args: readonly string[];
  /** Where the prompt goes: to standard input, where other users cannot see it, or to the last argument. */
  readonly prompt: "stdin" | "argument";
}

/** How a harness takes part in the agent mesh. */
export interface HarnessAgents extends AgentProfile {
  /** The events that the mesh needs. */
  readonly events: { readonly [E in AgentEventName]?: HarnessEvent };
  /** What it can do, for `status`, `capabilities` and the docs. */
  readonly abilities: AgentAbilities;
}

/** What an agent of a harness can do in the mesh, each as a short text for a person. */
export interface AgentAbilities {
  /** When a message reaches an agent that works. */
  readonly working: string;
  /** How an idle agent is woken. */
  readonly idle: string;
}

/** The versions of a harness's program that the connector was run with. */
export interface Versions {
  /** What `deno task e2e --versions` ran, oldest first; the last is the one that `deno task e2e` runs. */
  readonly tried: readonly string[];
  /** The day of that run. */
  readonly date: string;
  /** What older versions lack, compared with the newest. */
  readonly older?: readonly { readonly below: string; readonly limits: { readonly [F in Facet]?: Limit } }[];
  /** The version to write entries for where the program reports none. Default: the newest that was tried. */
  readonly assumed?: string;
}

/** A harness, as data and a few pure functions; `defineHarness` makes it. The engine does the rest. */
export interface Harness extends HookProfile {
  /** The name shown to people. */
  readonly displayName: string;
  /** The connector's program: `signet-pyagent`. */
  readonly binary: string;
  /** The names of the harness's program on PATH. */
  readonly programs: readonly string[];
  /** The variable in which the harness gives its session to the programs that it starts. */
  readonly sessionVariable?: string;
  /** How to run it once without a terminal; undefined if it cannot run so. */
  readonly headless?: Headless;
  /** The events that the harness sends. */
  readonly events: { readonly [E in EventName]?: HarnessEvent };
  /** How it takes part in the agent mesh; undefined if it cannot. */
  readonly agents?: HarnessAgents;
  /** Which features of Signet it supports. */
  readonly fidelity: { readonly [F in Facet]: Support };
  /** The versions that were run; undefined if none was. */
  readonly versions?: Versions;
  /** What is assumed about the harness and was not seen on a running program. */
  readonly assumed?: string;
  /** The names that the config file may have; the first is used for a new file. */
  readonly configFiles: readonly string[];
  /** The directory whose presence shows that the harness is on this machine. */
  configDir(place: Place): string;
  /** The file that holds our hooks. */
  configPath(place: Place & Pick<Site, "exists">): string;
  /** Every file that an install touches. */
  targets(site: Site): Target[];
  /** Where the composed identity goes; undefined if the harness reads none. */
  identity(site: Site): IdentityTarget | undefined;
  /** Where the harness reads skills; undefined if it reads none. */
  skillsDir(site: Site): string | undefined;
  /** The harness reads `~/.agents/skills` itself, so nothing is linked from there. */
  readonly readsAgentSkills?: boolean | ((site: Site) => boolean);
  /** What a person must know after an install: a restart, a trust step. */
  notes(site: Site): string[];
  /** Checks that only this harness needs, such as trusted hooks. Loaded by `status` and `doctor` only. */
  readonly inspector?: () => Promise<{ inspect(site: Site): Promise<Finding[]> }>;
}
