import { absolutePath } from "./absolute_path.ts";
import { configDir, home, HOST, isDirectory, join, type Surroundings } from "./paths.ts";
import { readStateObject } from "./state_file.ts";

export type WorkspaceOrigin =
  | "--workspace"
  | "SIGNET_PATH"
  | "SIGNET_WORKSPACE"
  | "settings"
  | "workspace.json"
  | "~/.agents";

export interface Workspace {
  /** Absolute. It may not exist yet, unless it is `~/.agents`. */
  readonly path: string;
  readonly from: WorkspaceOrigin;
}

export interface WorkspaceQuery {
  /** The value of `--workspace`. */
  readonly flag?: string;
  /** The settings file's `workspace`. */
  readonly stored?: string;
  readonly host?: Surroundings;
  readonly cwd?: string;
}

/** Finds the Signet workspace of this machine; undefined if it has none. */
export function findWorkspace(query: WorkspaceQuery = {}): Workspace | undefined {
  const { flag, stored, host = HOST } = query;
  const typed = (path: string | undefined) => path ? absolutePath(path, host, query.cwd ?? cwd()) : undefined;
  // A relative path in a file would mean another directory in every project: a
  // hook would give the agent the project's AGENTS.md as its identity.
  const filed = (path: unknown) => typeof path === "string" ? absolutePath(path, host) : undefined;

  const sources: [WorkspaceOrigin, () => string | undefined][] = [
    ["--workspace", () => typed(flag)],
    ["SIGNET_PATH", () => typed(host.env("SIGNET_PATH"))],
    ["SIGNET_WORKSPACE", () => typed(host.env("SIGNET_WORKSPACE"))],
    ["settings", () => filed(stored)],
    ["workspace.json", () => filed(workspaceJson(host))],
    ["~/.agents", () => defaultWorkspace(host)],
  ];
  for (const [from, find] of sources) {
    const path = find();
    if (path !== undefined) return { path, from };
  }
  return undefined;
}

function cwd(): string | undefined {
  try {
    return Deno.cwd();
  } catch {
    // The directory was removed.
    return undefined;
  }
}

function defaultWorkspace(host: Surroundings): string | undefined {
  const base = home(host);
  const path = base === undefined ? undefined : join(host, base, ".agents");
  return path !== undefined && isDirectory(path) ? path : undefined;
}

const MAX_BYTES = 64 * 1024;

function workspaceJson(host: Surroundings): unknown {
  const dir = configDir(host);
  if (dir === undefined) return undefined;
  return readStateObject(join(host, dir, "workspace.json"), MAX_BYTES)?.workspace;
}
