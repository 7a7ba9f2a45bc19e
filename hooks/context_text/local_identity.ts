import { HOST, isDirectory, join, type Surroundings } from "../state/paths.ts";
import type { Settings } from "../daemon/settings.ts";
import { stripSignetBlocks } from "./signet_block.ts";
import { truncate, TRUNCATED } from "./truncate.ts";
import { findWorkspace } from "../state/workspace.ts";

/** The order, headings and budgets (in characters) that Signet uses (contract, section 5). */
export const IDENTITY_FILES: readonly { file: string; heading: string; budget: number }[] = [
  { file: "AGENTS.md", heading: "Agent Instructions", budget: 12_000 },
  { file: "SOUL.md", heading: "Soul", budget: 4_000 },
  { file: "IDENTITY.md", heading: "Identity", budget: 2_000 },
  { file: "USER.md", heading: "About Your User", budget: 6_000 },
  { file: "MEMORY.md", heading: "Working Memory", budget: 10_000 },
];

/** The identity files of this machine, after a line that says why they are used; "" if there are none. */
export function localIdentity(settings: Settings, reason: string, host: Surroundings = HOST): string {
  const dir = findWorkspace({ stored: settings.workspace, host })?.path;
  if (dir === undefined || !isDirectory(dir)) return "";
  const agentDir = join(host, dir, "agents", ...settings.agentId.split("/"));
  const hasAgentDir = isDirectory(agentDir);
  const sections: string[] = [];
  for (const { file, heading, budget } of IDENTITY_FILES) {
    const text = (hasAgentDir ? readStart(join(host, agentDir, file), budget) : undefined) ??
      readStart(join(host, dir, file), budget);
    if (text !== undefined) sections.push(`## ${heading}\n\n${text}`);
  }
  if (sections.length === 0) return "";
  const header = `Signet: ${reason}. This is the identity stored on this machine, without memories.`;
  return [header, ...sections].join("\n\n");
}

function readStart(path: string, budget: number): string | undefined {
  try {
    // Checked before opening: opening a FIFO would wait for a writer.
    if (!Deno.statSync(path).isFile) return undefined;
    using file = Deno.openSync(path);
    const bytes = new Uint8Array(budget * 4 + 4096);
    let used = 0;
    while (used < bytes.length) {
      const n = file.readSync(bytes.subarray(used));
      if (n === null) break;
      used += n;
    }
    // The Signet block says how to reach the daemon, which is not possible now.
    const text = stripSignetBlocks(new TextDecoder().decode(bytes.subarray(0, used))).trim();
    return text === "" ? undefined : truncate(text, budget, TRUNCATED);
  } catch {
    return undefined;
  }
}
