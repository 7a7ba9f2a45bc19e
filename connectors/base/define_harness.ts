import "./harness_parts.ts";
import type { AgentEventName } from "../../hooks/agents/event.ts";
import type { EventName } from "../../hooks/event.ts";
import type { HookProfile } from "../../hooks/profile.ts";
import type {
  Facet,
  Harness,
  HarnessAgents,
  HarnessEvent,
  IdentityTarget,
  Limit,
  Place,
  Site,
} from "./harness.ts";
import { type Output, renderOutput } from "./hooks_config/hook_output.ts";
import { pathIn } from "./site/path_in.ts";

/** An event as a descriptor writes it, with the timeout in the harness's own unit. */
export interface EventSpec {
  /** The harness's name for the event. */
  readonly native: string;
  /** The timeout, in `timeoutUnit`. */
  readonly timeout: number;
  /** The first version of the program that knows the event. */
  readonly since?: string;
  /** Only versions below this one get the event. */
  readonly before?: string;
  /** The tools for which the hook does not run, where the harness's matchers can leave tools out. */
  readonly except?: readonly string[];
}

/** An instruction file in the harness's directory. */
export interface IdentityFile {
  /** The file for the identity. */
  readonly file: string;
  /** The first of these that exists is used instead. */
  readonly existing?: readonly string[];
  /** What happens to a file that the user wrote. */
  readonly rule: IdentityTarget["rule"];
}

type Described = Pick<
  Harness,
  | "id"
  | "displayName"
  | "assumed"
  | "versions"
  | "readsAgentSkills"
  | "inspector"
  | "notes"
  | "sessionVariable"
  | "headless"
>;
type Defaulted = Pick<Harness, "binary" | "programs" | "runtimePath" | "maxInject" | "transcript">;
type Injection = Pick<
  HookProfile,
  | "injectAt"
  | "injectedTags"
  | "keepsContext"
  | "restoresAt"
  | "startsWithPrompt"
  | "findTranscript"
  | "isForeign"
  | "sharesEnvironment"
>;

/** What a descriptor must write down, and what it may leave to the defaults. */
export interface HarnessSpec extends Described, Partial<Defaulted>, Injection {
  /** The events that the harness sends, in the order in which they are installed. */
  readonly events: { readonly [E in EventName]?: EventSpec };
  /** How it takes part in the agent mesh. */
  readonly agents?: Omit<HarnessAgents, "events"> & {
    readonly events: { readonly [E in AgentEventName]?: EventSpec };
  };
  /** The unit of every timeout in `events`, as in the harness's config. */
  readonly timeoutUnit: "s" | "ms";
  /** What a hook prints for each event. Default: the text alone, for every event. */
  readonly output?: Output;
  /** The features that are not fully supported, and why. */
  readonly limits: { readonly [F in Facet]?: Limit };
  /** The harness's directory. */
  readonly configDir: (place: Place) => string;
  /** The config file's name in that directory; of several, the first that exists. */
  readonly configFiles: readonly [string, ...string[]];
  /** The config file's path, where a name is not enough. */
  readonly configPath?: Harness["configPath"];
  /** The files and entries that an install writes. */
  readonly targets: Harness["targets"];
  /** The instruction file; undefined if the harness reads none. */
  readonly identity: IdentityFile | ((site: Site) => IdentityTarget) | undefined;
}

/** The support table of a harness without limits. */
const FULL: Harness["fidelity"] = {
  "session-start": "yes",
  "prompt-submit": "yes",
  "pre-compaction": "yes",
  "post-compaction": "yes",
  "session-end": "yes",
  tools: "yes",
  identity: "yes",
};

/** A complete harness from its description. */
export function defineHarness(spec: HarnessSpec): Harness {
  const { agents, configDir, configFiles, identity, limits, output = "text", timeoutUnit, ...rest } = spec;
  const unitMs = timeoutUnit === "s" ? 1000 : 1;
  const events = inMilliseconds(spec.events, unitMs);
  return {
    binary: `signet-${spec.id}`,
    programs: [spec.id],
    runtimePath: "legacy",
    maxInject: 24_000,
    transcript: "text",
    ...rest,
    events,
    agents: agents && { ...agents, events: inMilliseconds(agents.events, unitMs) },
    fidelity: { ...FULL, ...limits },
    configDir,
    configFiles,
    configPath: spec.configPath ?? ((place) => firstExisting(place, configDir(place), configFiles)),
    render: (event, text) => renderOutput(output, events, event, text),
    identity: (site) => typeof identity === "object" ? identityTarget(identity, site) : identity?.(site),
    skillsDir: (site) => site.path("skills"),
  };
}

function inMilliseconds<E extends string>(
  events: { readonly [N in E]?: EventSpec },
  factor: number,
): { [N in E]?: HarnessEvent } {
  const result: { [N in E]?: HarnessEvent } = {};
  for (const name in events) {
    const event = events[name];
    if (event !== undefined) result[name] = { ...event, timeoutMs: event.timeout * factor };
  }
  return result;
}

/** The first of several names in a directory that exists, or else the first name. */
export function firstExisting(
  place: Place & Pick<Site, "exists">,
  dir: string,
  names: readonly [string, ...string[]],
): string {
  const existing = names.find((name) => place.exists(pathIn(place.host, dir, name)));
  return pathIn(place.host, dir, existing ?? names[0]);
}

function identityTarget({ file, existing = [], rule }: IdentityFile, site: Site): IdentityTarget {
  return { path: site.path(existing.find((name) => site.exists(site.path(name))) ?? file), rule };
}
