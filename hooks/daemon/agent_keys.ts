import { isObject } from "../json.ts";
import { checkAgentId } from "./origin.ts";

/** An agent besides the installed one, as `agent set` stores it. */
export interface AgentEntry {
  /** Its id. */
  readonly id: string;
  /** Its own key; without one it uses the installed key. */
  readonly apiKey?: string;
  /** The directories whose sessions belong to it. */
  readonly projects: readonly string[];
}

/** Which key a call used: the installed one, one of the agent alone, or none. */
export type KeyOrigin = "installed" | "own" | "none";

/** The agents that this machine knows, with the keys that may be sent to the daemon of the settings. */
export interface AgentKeys {
  /** The agent and the key in the settings file. */
  readonly installed: { readonly agentId: string; readonly apiKey?: string };
  /** The agents that `agent set` stored. */
  readonly agents: readonly AgentEntry[];
}

/** The agent of a directory, and the entry's directory that decides it. The longest one wins. */
export function projectAgent(
  agents: readonly AgentEntry[],
  cwd: string | undefined,
): { agent: AgentEntry; project: string } | undefined {
  if (!cwd) return undefined;
  let best: { agent: AgentEntry; project: string } | undefined;
  for (const agent of agents) {
    for (const project of agent.projects) {
      if (isWithin(cwd, project) && project.length > (best?.project.length ?? 0)) best = { agent, project };
    }
  }
  return best;
}

function isWithin(path: string, dir: string): boolean {
  if (!path.startsWith(dir)) return false;
  const next = path[dir.length];
  return next === undefined || next === "/" || next === "\\" || /[\\/]$/.test(dir);
}

/** What a stored event says about the key that it needs. */
export interface KeyRequest {
  readonly agentId: string;
  readonly keyFrom?: KeyOrigin;
}

/** The part of the settings that decides which key an event gets. */
export interface KeySettings {
  readonly agentId: string;
  readonly apiKey?: string;
  readonly keys?: AgentKeys;
}

/** The key for an event of an agent, which may be none; undefined if its key is not at hand. */
export function keyFor(
  settings: KeySettings,
  { agentId, keyFrom }: KeyRequest,
): { apiKey?: string } | undefined {
  const installed = settings.keys?.installed;
  const entry = settings.keys?.agents.find(({ id }) => id === agentId);
  const own = agentId === settings.agentId && settings.apiKey ? settings.apiKey : entry?.apiKey;
  if (own) return { apiKey: own };
  if (agentId === installed?.agentId && installed.apiKey) return { apiKey: installed.apiKey };
  if (keyFrom === "own") return undefined;
  if (keyFrom === "none") return {};
  if (keyFrom === "installed" || entry !== undefined || agentId === settings.agentId) {
    return { apiKey: installed?.apiKey };
  }
  // An event of an older version. Without any key on this machine the daemon needs none.
  return settings.apiKey === undefined && installed?.apiKey === undefined ? {} : undefined;
}

export function isKeyOrigin(value: unknown): value is KeyOrigin {
  return value === "installed" || value === "own" || value === "none";
}

/** The table in the settings file; malformed entries are left out. */
export function parseAgents(value: unknown): AgentEntry[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item) => {
    if (!isObject(item) || typeof item.id !== "string" || "problem" in checkAgentId(item.id)) return [];
    const projects = Array.isArray(item.projects)
      ? item.projects.filter((project) => typeof project === "string" && project !== "")
      : [];
    const apiKey = typeof item.apiKey === "string" && item.apiKey !== "" ? item.apiKey : undefined;
    return [{ id: item.id, ...(apiKey && { apiKey }), projects }];
  });
}
