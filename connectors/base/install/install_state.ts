import { type HookReport, hookReport } from "../../../hooks/report.ts";
import { stateDir, type Surroundings } from "../../../hooks/state/paths.ts";
import { loadSettings, type Settings } from "../../../hooks/daemon/settings.ts";
import { type AgentHere, agentHere } from "./agent_here.ts";
import { checkDaemon, type DaemonCheck } from "../doctor/daemon_check.ts";
import { type EditState, findEdits, isInstalled } from "../edit/config.ts";
import { ConfigError } from "../edit/tree.ts";
import type { Harness, Site, Target } from "../harness.ts";

/** The state of one of our entries, and its file. */
export interface EntryState extends Omit<EditState, "state"> {
  readonly file: string;
  /** `unsupported`: the installed version of the program does not know the entry. */
  readonly state: EditState["state"] | "unsupported";
}

export interface ConfigState {
  readonly entries: EntryState[];
  /** Files that could not be read or parsed, with the reason. */
  readonly problems: string[];
}

/** Checks every entry in the files of the harness, not a flag. */
export function configState(harness: Harness, site: Site): ConfigState {
  const entries: EntryState[] = [];
  const problems: string[] = [];
  const every = harness.targets({
    ...site,
    events: harness.events,
    agentEvents: harness.agents?.events ?? {},
  });
  for (const target of harness.targets(site)) {
    if (target.kind === "file") {
      const text = site.readText(target.path);
      const state = text === undefined
        ? "missing"
        : text === target.text
        ? "present"
        : target.owns(text)
        ? "different"
        : "foreign";
      entries.push({ file: target.path, path: [], state });
    } else if (target.kind === "edit") {
      const text = site.readText(target.path);
      if (text === undefined && site.exists(target.path)) {
        problems.push(`${target.path} cannot be read; make it a file that you can read`);
        continue;
      }
      try {
        const states = findEdits(target.format, text, target.edits);
        entries.push(...states.map((each) => ({ file: target.path, ...each })));
        entries.push(...unsupported(target, text, every));
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        problems.push(`${target.path}:${error.line}:${error.column}: ${error.message}`);
      }
    }
  }
  return { entries, problems };
}

/** Our entries in a file that only other versions of the program know. */
function unsupported(
  { path: file, format, edits }: Extract<Target, { kind: "edit" }>,
  text: string | undefined,
  every: readonly Target[],
): EntryState[] {
  const known = new Set(edits.map(({ path }) => path.join("\0")));
  const others = every.flatMap((target) => target.kind === "edit" && target.path === file ? target.edits : [])
    .filter(({ path }) => !known.has(path.join("\0")));
  return findEdits(format, text, others).filter(isInstalled)
    .map((each) => ({ ...each, file, state: "unsupported" }));
}

/**
 * Connected means that every entry is installed; a different or duplicate one
 * still works, and one that only some versions know may be missing after an upgrade.
 */
export function isConnected({ entries, problems }: ConfigState): boolean {
  const counts = ({ state, optional }: EntryState) => !(optional === true && state === "missing");
  return problems.length === 0 && entries.length > 0 && entries.filter(counts).every(works);
}

function works({ state }: EntryState): boolean {
  return state !== "missing" && state !== "foreign";
}

/** What is to say about an entry that is not as this version of the program needs it. */
export function entryProblem(harness: Harness, site: Site, { state, optional }: EntryState): string {
  const program = `${harness.displayName} ${site.version ?? "(version unknown)"}`;
  if (state === "unsupported") return `is not known to ${program}`;
  return optional && state === "missing" ? `is missing; ${program} supports it` : `is ${state}`;
}

export interface State {
  readonly harness: string;
  readonly connected: boolean;
  readonly config: ConfigState;
  readonly settings: Settings;
  readonly daemon: DaemonCheck;
  readonly hooks: HookReport | undefined;
  readonly stateDir: string | undefined;
  /** The agent of the directory that the command runs in. */
  readonly here: AgentHere;
}

/** The state that `status`, `health` and `doctor` report. */
export async function stateOf(harness: Harness, site: Site, host: Surroundings): Promise<State> {
  const settings = loadSettings(harness.id, host);
  const config = configState(harness, site);
  return {
    harness: harness.id,
    connected: isConnected(config),
    config,
    settings,
    daemon: settings.problem
      ? { kind: "rejected", message: settings.problem }
      : await checkDaemon(settings, 3_000),
    hooks: hookReport(settings, host),
    stateDir: stateDir(harness.id, host),
    here: agentHere(harness, host),
  };
}
