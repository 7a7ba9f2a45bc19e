import { type HookReport, hookReport } from "../../../hooks/report.ts";
import { stateDir, type Surroundings } from "../../../hooks/state/paths.ts";
import { loadSettings, type Settings } from "../../../hooks/daemon/settings.ts";
import { checkDaemon, type DaemonCheck } from "../doctor/daemon_check.ts";
import { type EditState, findEdits, isInstalled } from "../edit/config.ts";
import { ConfigError } from "../edit/tree.ts";
import type { Harness, Site } from "../harness.ts";

/** The state of one of our entries, and its file. */
export interface EntryState extends EditState {
  readonly file: string;
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
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        problems.push(`${target.path}:${error.line}:${error.column}: ${error.message}`);
      }
    }
  }
  return { entries, problems };
}

/** Connected means that every entry is installed; a different or duplicate one still works. */
export function isConnected({ entries, problems }: ConfigState): boolean {
  return problems.length === 0 && entries.length > 0 &&
    entries.every(isInstalled);
}

export interface State {
  readonly harness: string;
  readonly connected: boolean;
  readonly config: ConfigState;
  readonly settings: Settings;
  readonly daemon: DaemonCheck;
  readonly hooks: HookReport | undefined;
  readonly stateDir: string | undefined;
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
  };
}
