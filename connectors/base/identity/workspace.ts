import { configDir, home, HOST, join, type Surroundings } from "../../../hooks/state/paths.ts";
import { absolutePath as absolute } from "../fs/absolute_path.ts";
import { readBounded } from "./bounded_read.ts";
import { isDirectory } from "./compose.ts";

export type WorkspaceOrigin =
  | "--workspace"
  | "SIGNET_PATH"
  | "SIGNET_WORKSPACE"
  | "settings"
  | "workspace.json"
  | "~/.agents";

export interface Workspace {
  /** Absolute. It may not exist yet; only `~/.agents` is used just because it exists. */
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

/** The Signet workspace of this machine; undefined if it has none. */
export function findWorkspace(query: WorkspaceQuery = {}): Workspace | undefined {
  const { flag, stored, host = HOST } = query;
  const shell = (path: string | undefined) => absolute(path, host, query.cwd ?? Deno.cwd());
  // A file has no working directory, so a relative path in it is ignored.
  const file = (path: unknown) => absolute(typeof path === "string" ? path : undefined, host);

  const named: [WorkspaceOrigin, () => string | undefined][] = [
    ["--workspace", () => shell(flag)],
    ["SIGNET_PATH", () => shell(host.env("SIGNET_PATH"))],
    ["SIGNET_WORKSPACE", () => shell(host.env("SIGNET_WORKSPACE"))],
    ["settings", () => file(stored)],
    ["workspace.json", () => file(workspaceJson(host))],
    ["~/.agents", () => defaultWorkspace(host)],
  ];
  for (const [from, read] of named) {
    const path = read();
    if (path !== undefined) return { path, from };
  }
  return undefined;
}

function defaultWorkspace(host: Surroundings): string | undefined {
  const base = home(host);
  const path = base === undefined ? undefined : join(host, base, ".agents");
  return path !== undefined && isDirectory(path) ? path : undefined;
}

function workspaceJson(host: Surroundings): unknown {
  const dir = configDir(host);
  const reading = dir === undefined ? undefined : readBounded(join(host, dir, "workspace.json"));
  if (reading?.kind !== "text") return undefined;
  try {
    const value: unknown = JSON.parse(reading.text);
    return typeof value === "object" && value !== null && "workspace" in value ? value.workspace : undefined;
  } catch {
    return undefined;
  }
}
