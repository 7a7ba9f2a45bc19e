import { CONFIG_KEYS, type ConfigKey, USER_KEYS } from "../../../../hooks/agents/config/agent_config.ts";
import { LOCK_MODES, type LockMode } from "../../../../hooks/agents/config/lock_modes.ts";
import type { ConfigFile, Scope } from "../../../../hooks/agents/config/config_files.ts";
import { narrowed, type RepositoryLimits } from "../../../../hooks/agents/config/repository_limits.ts";
import { flowOf } from "../../../../hooks/agents/config/rules_text.ts";
import { DEFAULT_POLICY } from "../../../../hooks/agents/messages/policy.ts";
import { stripControls } from "../../../../hooks/context_text/strip_controls.ts";
import type { Surroundings } from "../../../../hooks/state/paths.ts";
import { didYouMean } from "./config_key.ts";

type Source = Scope | "default" | "SIGNET_LOCKS";

/** A setting that counts, and the files that it comes from. */
export interface EffectiveValue {
  readonly key: ConfigKey;
  readonly value: unknown;
  readonly from: readonly Source[];
}

/** Part of a file that does not count. */
export interface Ignored {
  readonly scope: Scope;
  readonly path: string;
  readonly line?: number;
  readonly key: string;
  readonly why: string;
}

const LIMITS = ["allow", "deny", "stop", "perTenMinutes", "locks"] as const;
const ONLY_TIGHTEN = "a repository may only tighten";

/** What counts, where it comes from, and what does not count and why. */
export function effectiveConfig(
  files: readonly ConfigFile[],
  host: Surroundings,
): { values: EffectiveValue[]; ignored: Ignored[] } {
  const ignored: Ignored[] = [];
  const ignore = ({ scope, path, lines }: ConfigFile, key: string, why: string) =>
    ignored.push({ scope, path, line: lines.get(key), key, why });
  for (const file of files) {
    for (const key of file.unknown) ignore(file, key, `there is no such key.${didYouMean(key)}`);
    if (file.scope === "user") continue;
    for (const key of USER_KEYS) {
      if (file.config[key] !== undefined) ignore(file, key, "only your own file can set it");
    }
  }
  const user = files.find(({ scope }) => scope === "user");
  const limits = limitValues(files, ignore);
  const values: EffectiveValue[] = [
    {
      key: "rules",
      value: files.flatMap(({ config }) => config.rules ?? []),
      from: settersOf(files, "rules"),
    },
    { key: "rulesFor", value: rulesFor(files), from: settersOf(files, "rulesFor") },
    { key: "flow", value: flowOf(files), from: settersOf(files, "flow").slice(-1) },
    ...limits.map((limit) => withVariable(limit, host)),
    { key: "transport", value: user?.config.transport ?? "daemon", from: userSets(user, "transport") },
    { key: "start", value: user?.config.start ?? {}, from: userSets(user, "start") },
  ];
  const order = Object.keys(CONFIG_KEYS);
  const sources = (from: readonly Source[]): readonly Source[] => from.length === 0 ? ["default"] : from;
  return {
    values: values.map((value) => ({ ...value, from: sources(value.from) }))
      .sort((a, b) => order.indexOf(a.key) - order.indexOf(b.key)),
    ignored,
  };
}

/** Narrows the user's values by each file of the repository, as hooks do. */
function limitValues(
  files: readonly ConfigFile[],
  ignore: (file: ConfigFile, key: string, why: string) => void,
): EffectiveValue[] {
  const from = new Map<ConfigKey, Source[]>();
  let limits: RepositoryLimits = { ...DEFAULT_POLICY, locks: "on" };
  for (const file of files) {
    const isUser = file.scope === "user";
    const next = isUser ? { ...limits, ...given(file.config) } : narrowed(limits, file.config);
    for (const key of LIMITS) {
      const wanted = file.config[key];
      if (wanted === undefined) continue;
      const hasEffect = isUser || !isEqual(next[key], limits[key]);
      if (hasEffect) from.set(key, [...from.get(key) ?? [], file.scope]);
      const lost = isUser ? undefined : lostPart(key, wanted, next[key]);
      if (lost !== undefined) ignore(file, key, lost);
    }
    limits = next;
  }
  return LIMITS.map((key) => ({ key, value: limits[key], from: from.get(key) ?? [] }));
}

/** Why part of what a repository's file says about a key does not count. */
function lostPart(key: typeof LIMITS[number], wanted: unknown, counts: unknown): string | undefined {
  switch (key) {
    case "deny":
      return undefined;
    case "allow":
    case "stop": {
      const kept = Array.isArray(counts) ? counts : [];
      const lost = (Array.isArray(wanted) ? wanted : []).filter((each) => !kept.includes(each));
      return lost.length === 0
        ? undefined
        : `${stripControls(lost.join(", "))} is not on the user's list: ${ONLY_TIGHTEN}`;
    }
    case "perTenMinutes":
      return wanted === counts ? undefined : `${counts} counts: ${ONLY_TIGHTEN}`;
    case "locks":
      return wanted === counts ? undefined : `${wanted} is not stricter than ${counts}: ${ONLY_TIGHTEN}`;
  }
}

function withVariable(value: EffectiveValue, host: Surroundings): EffectiveValue {
  const set = LOCK_MODES.find((mode): mode is LockMode => mode === host.env("SIGNET_LOCKS"));
  return value.key === "locks" && set !== undefined
    ? { ...value, value: set, from: ["SIGNET_LOCKS"] }
    : value;
}

function given(config: RepositoryLimits): RepositoryLimits {
  const entries = LIMITS.map((key) => [key, config[key]]).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries);
}

function settersOf(files: readonly ConfigFile[], key: ConfigKey): Scope[] {
  return files.filter(({ config }) => config[key] !== undefined).map(({ scope }) => scope);
}

function userSets(user: ConfigFile | undefined, key: ConfigKey): Source[] {
  return user?.config[key] === undefined ? [] : ["user"];
}

function rulesFor(files: readonly ConfigFile[]): Record<string, string[]> {
  const joined = new Map<string, string[]>();
  for (const { config } of files) {
    for (const [harness, rules] of Object.entries(config.rulesFor ?? {})) {
      joined.set(harness, [...joined.get(harness) ?? [], ...rules]);
    }
  }
  return Object.fromEntries(joined);
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
