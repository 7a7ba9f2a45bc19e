import { configDir, home, HOST, join, type Surroundings } from "../state/paths.ts";
import type { Settings } from "../daemon/settings.ts";
import { readStateObject } from "../state/state_file.ts";
import { stripSignetBlocks } from "./strip_signet_blocks.ts";

/** Signet's own order, headings and budgets in characters (contract, section 5). */
export const IDENTITY_FILES: readonly { file: string; heading: string; budget: number }[] = [
  { file: "AGENTS.md", heading: "Agent Instructions", budget: 12_000 },
  { file: "SOUL.md", heading: "Soul", budget: 4_000 },
  { file: "IDENTITY.md", heading: "Identity", budget: 2_000 },
  { file: "USER.md", heading: "About Your User", budget: 6_000 },
  { file: "MEMORY.md", heading: "Working Memory", budget: 10_000 },
];

/** The workspace on this machine, if anything names one; it may not exist. */
export function workspaceDir(
  settings: Pick<Settings, "workspace">,
  host: Surroundings = HOST,
): string | undefined {
  if (settings.workspace) return expandHome(settings.workspace, host);
  const config = configDir(host);
  const named = config === undefined
    ? undefined
    : readStateObject(join(host, config, "workspace.json"))?.workspace;
  if (typeof named === "string" && named !== "") return expandHome(named, host);
  const base = home(host);
  return base === undefined ? undefined : join(host, base, ".agents");
}

function expandHome(path: string, host: Surroundings): string {
  const base = home(host);
  return base !== undefined && (path === "~" || path.startsWith("~/")) ? base + path.slice(1) : path;
}

/** The identity kept on this machine, under one line that says why; "" if there is none. */
export function localIdentity(settings: Settings, why: string, host: Surroundings = HOST): string {
  const dir = workspaceDir(settings, host);
  if (dir === undefined || !isDirectory(dir)) return "";
  const own = join(host, dir, "agents", ...settings.agentId.split("/"));
  const hasOwn = isDirectory(own);
  const sections: string[] = [];
  for (const { file, heading, budget } of IDENTITY_FILES) {
    const text = (hasOwn ? readStart(join(host, own, file), budget) : undefined) ??
      readStart(join(host, dir, file), budget);
    if (text !== undefined) sections.push(`## ${heading}\n\n${text}`);
  }
  if (sections.length === 0) return "";
  return `Signet: ${why}; this is the identity kept on this machine, without memories.\n\n${
    sections.join("\n\n")
  }`;
}

function isDirectory(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

function readStart(path: string, budget: number): string | undefined {
  try {
    // Before it is opened: a FIFO would hold us until somebody writes to it.
    if (!Deno.statSync(path).isFile) return undefined;
    using file = Deno.openSync(path);
    const bytes = new Uint8Array(budget * 4 + 4096);
    let used = 0;
    while (used < bytes.length) {
      const n = file.readSync(bytes.subarray(used));
      if (n === null) break;
      used += n;
    }
    // The block describes how to reach the daemon, which is down now.
    const text = stripSignetBlocks(new TextDecoder().decode(bytes.subarray(0, used))).trim();
    if (text === "") return undefined;
    return text.length <= budget ? text : text.slice(0, budget).toWellFormed() + "\n[truncated]";
  } catch {
    return undefined;
  }
}
