import type { Surroundings } from "../../../hooks/state/paths.ts";
import { readConfig } from "../edit/config.ts";
import type { Harness, Site } from "../harness.ts";
import { agentEventsFor, eventsFor } from "../versions/events_for.ts";
import { pathIn } from "./path_in.ts";

export interface PlaceholderOptions {
  /** The files that exist, with their text. */
  readonly files?: Record<string, string>;
  readonly env?: Record<string, string>;
  readonly os?: Surroundings["os"];
  readonly program?: string;
  readonly workspace?: string;
  readonly flags?: Partial<Site["flags"]>;
  /** The version of the harness's program; by default the newest that was tried. */
  readonly version?: string | "unknown";
}

/** A site that touches no disk, for descriptor tests and generated documents; its home is /home/u. */
export function placeholderSite(
  harness: Pick<Harness, "configDir" | "events" | "agents" | "versions">,
  options: PlaceholderOptions = {},
): Site {
  const files = options.files ?? {};
  const program = options.program ?? "/home/u/.local/bin/signet-test";
  const host: Surroundings = { env: (name) => options.env?.[name], os: options.os ?? "linux" };
  const home = "/home/u";
  const { version = harness.versions?.tried.at(-1) } = options;
  const known = version === "unknown" ? undefined : version;
  const dir = harness.configDir({ host, home });
  const flags = { mcp: true, identity: true, skills: true, ...options.flags };
  return {
    host,
    home,
    path: (name) => pathIn(host, dir, name),
    argv: (...args) => [program, ...args],
    call: (...args) => ({ command: program, args }),
    agentId: "u/test",
    workspace: options.workspace,
    flags,
    version: known,
    events: eventsFor(harness, known),
    agentEvents: agentEventsFor(harness, known, flags),
    exists: (path) => path in files,
    readText: (path) => files[path],
    peek(path, format, keys) {
      const reading = readConfig(format, files[path], keys);
      return reading.kind === "parsed" ? reading.value : undefined;
    },
  };
}
