import { home, type Surroundings } from "../../../hooks/state/paths.ts";
import { CONNECT_BINARY, programName } from "../hooks_config/hook_command.ts";
import { readConfig } from "../edit/config.ts";
import type { Format, Json } from "../edit/edit.ts";
import type { Harness, InstallFlags, Site } from "../harness.ts";
import { agentEventsFor, eventsFor } from "../versions/events_for.ts";
import { pathIn } from "./path_in.ts";

/** The options of an install without flags. */
export const DEFAULT_FLAGS: InstallFlags = { mcp: true, identity: true, skills: true };

export interface SiteOptions {
  readonly host: Surroundings;
  /** The program that hooks will call, as an absolute path. */
  readonly program: string;
  readonly agentId?: string;
  readonly workspace?: string;
  readonly flags?: InstallFlags;
  /** The version of the harness's program; `any` for every event, to remove them. */
  readonly version?: string | "any";
}

/** This machine as the descriptor of a harness sees it. */
export function siteFor(
  harness: Pick<Harness, "id" | "configDir" | "events" | "agents" | "versions">,
  options: SiteOptions,
): Site {
  const { host, program, version } = options;
  const base = home(host);
  if (base === undefined) {
    throw new Error("HOME is not set, so the harness's files cannot be found; set HOME.");
  }
  // signet-connect serves every harness, so its command line names one.
  const which = programName(program) === CONNECT_BINARY ? ["-H", harness.id] : [];
  const dir = harness.configDir({ host, home: base });
  const flags = options.flags ?? DEFAULT_FLAGS;
  return {
    host,
    home: base,
    path: (name) => pathIn(host, dir, name),
    argv: (...args) => [program, ...args, ...which],
    call: (...args) => ({ command: program, args: [...args, ...which] }),
    agentId: options.agentId ?? "default",
    workspace: options.workspace,
    flags,
    version: version === "any" ? undefined : version,
    events: eventsFor(harness, version),
    agentEvents: agentEventsFor(harness, version, flags),
    exists: (path) => statOf(path) !== undefined,
    readText,
    peek,
  };
}

function statOf(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch {
    return undefined; // absent or unreadable: the same to a descriptor
  }
}

function readText(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return undefined;
  }
}

function peek(path: string, format: Format, keys: readonly string[]): Json | undefined {
  const reading = readConfig(format, readText(path), keys);
  return reading.kind === "parsed" ? reading.value : undefined;
}
