import { makeConfigDir } from "../../../../hooks/state/made_dirs.ts";
import { isObject } from "../../../../hooks/json.ts";
import { configDir, join, type Surroundings } from "../../../../hooks/state/paths.ts";
import { readStateObject, writeNote } from "../../../../hooks/state/state_file.ts";

/** An agent somewhere else that speaks A2A. Its handle is `ext:` and the alias. */
export interface OutsideAgent {
  readonly alias: string;
  readonly url: string;
  readonly token?: string;
}

const PREFIX = "ext:";
const ALIAS = /^[a-z0-9][a-z0-9._-]{0,39}$/;
const MAX_FILE = 1024 * 1024;

export function isAlias(text: string): boolean {
  return ALIAS.test(text);
}

export function outsideHandle({ alias }: Pick<OutsideAgent, "alias">): string {
  return PREFIX + alias;
}

/** The alias in a handle; undefined for the handle of an agent of the mesh. */
export function outsideAlias(handle: string): string | undefined {
  const name = handle.trim().replace(/^@/, "");
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined;
}

/** The outside agents that the user has added, by alias. */
export function outsideAgents(host: Surroundings): OutsideAgent[] {
  const path = peersPath(host);
  const peers = path === undefined ? undefined : readStateObject(path, MAX_FILE)?.peers;
  if (!isObject(peers)) return [];
  return Object.entries(peers).flatMap(([alias, value]) => {
    if (!isObject(value) || typeof value.url !== "string" || !URL.canParse(value.url) || !isAlias(alias)) {
      return [];
    }
    return [{ alias, url: value.url, token: typeof value.token === "string" ? value.token : undefined }];
  }).sort((a, b) => a.alias < b.alias ? -1 : 1);
}

/** Writes the list to a file that only the user can read: it has tokens. */
export function saveOutsideAgents(host: Surroundings, agents: readonly OutsideAgent[]): void {
  const path = peersPath(host);
  if (path === undefined) throw new Error("HOME is not set, so there is no place for outside agents.");
  const peers = Object.fromEntries(agents.map(({ alias, url, token }) => [alias, { url, token }]));
  makeConfigDir(host);
  writeNote(path, JSON.stringify({ v: 1, peers }));
}

/** `~/.config/signet/a2a_peers.json`. */
export function peersPath(host: Surroundings): string | undefined {
  const dir = configDir(host);
  return dir === undefined ? undefined : join(host, dir, "a2a_peers.json");
}
