import { isObject } from "../../json.ts";
import type { AgentConfig } from "./agent_config.ts";
import { LOCK_MODES, type LockMode } from "./lock_modes.ts";
import type { ConfigFile } from "./config_files.ts";

/** How a repository narrows what the user allows. It can never widen it. */
export type RepositoryLimits = Pick<AgentConfig, "allow" | "deny" | "stop" | "perTenMinutes" | "locks">;

/** The modes that refuse everything that a mode refuses, and more. `auto` and `strict` differ in kind. */
const TIGHTER: Readonly<Record<LockMode, readonly LockMode[]>> = {
  off: ["on", "auto", "strict"],
  on: ["auto", "strict"],
  auto: [],
  strict: [],
};

/** The limits in a repository's files; undefined if there are none. */
export function limitsOf(files: readonly Pick<ConfigFile, "config">[]): RepositoryLimits | undefined {
  let limits: RepositoryLimits = {};
  for (const { config } of files) limits = narrowed(limits, config);
  return Object.values(limits).some((value) => value !== undefined) ? limits : undefined;
}

/** `base` with the limits of another file: the narrower value of each key. */
export function narrowed(base: RepositoryLimits, limits: RepositoryLimits): RepositoryLimits {
  return {
    allow: both(base.allow, limits.allow),
    deny: base.deny === undefined && limits.deny === undefined
      ? undefined
      : [...new Set([...base.deny ?? [], ...limits.deny ?? []])],
    stop: both(base.stop, limits.stop),
    perTenMinutes: base.perTenMinutes === undefined || limits.perTenMinutes === undefined
      ? base.perTenMinutes ?? limits.perTenMinutes
      : Math.min(base.perTenMinutes, limits.perTenMinutes),
    locks: base.locks === undefined ? limits.locks : tighterMode(base.locks, limits.locks),
  };
}

/** The repository's mode if it is tighter than the user's, else the user's. */
export function tighterMode(mode: LockMode, wanted: LockMode | undefined): LockMode {
  return wanted !== undefined && TIGHTER[mode].includes(wanted) ? wanted : mode;
}

/** Who is on both lists; undefined is no list, and `*` is everybody. */
function both(
  a: readonly string[] | undefined,
  b: readonly string[] | undefined,
): readonly string[] | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  if (a.includes("*")) return b;
  return b.includes("*") ? a : a.filter((each) => b.includes(each));
}

/** The limits in a session's note. */
export function parseLimits(value: unknown): RepositoryLimits | undefined {
  if (!isObject(value)) return undefined;
  const { allow, deny, stop, perTenMinutes, locks } = value;
  return {
    allow: strings(allow),
    deny: strings(deny),
    stop: strings(stop),
    perTenMinutes: typeof perTenMinutes === "number" ? perTenMinutes : undefined,
    locks: LOCK_MODES.find((mode) => mode === locks),
  };
}

function strings(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : undefined;
}
