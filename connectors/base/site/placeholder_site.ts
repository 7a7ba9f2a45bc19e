import type { Surroundings } from "../../../hooks/state/paths.ts";
import { readConfig } from "../edit/config.ts";
import type { Site } from "../harness.ts";

export interface Paper {
  readonly files?: Record<string, string>;
  readonly env?: Record<string, string>;
  readonly os?: Surroundings["os"];
  readonly program?: string;
  readonly workspace?: string;
  readonly flags?: Partial<Site["flags"]>;
}

/** A site that exists on paper only, for tests of descriptors: its files are a record, its home is /home/u. */
export function paperSite(paper: Paper = {}): Site {
  const files = paper.files ?? {};
  return {
    host: { env: (name) => paper.env?.[name], os: paper.os ?? "linux" },
    home: "/home/u",
    argv: (...args) => [paper.program ?? "/home/u/.local/bin/signet-test", ...args],
    agentId: "u/test",
    workspace: paper.workspace,
    flags: { mcp: true, identity: true, skills: true, ...paper.flags },
    exists: (path) => path in files,
    readText: (path) => files[path],
    peek(path, format) {
      const reading = readConfig(format, files[path]);
      return reading.kind === "parsed" ? reading.value : undefined;
    },
  };
}
