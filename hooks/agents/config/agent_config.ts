import { LOCK_MODES, type LockMode } from "./lock_modes.ts";
import { YamlProblem, type YamlValue } from "./read_yaml.ts";

/** Whether an agent that gives work to another waits for the answer. */
export type Flow = "roundtrip" | "oneway" | "auto";
export const FLOWS: readonly Flow[] = ["roundtrip", "oneway", "auto"];

/** An `agents.yaml`. What it does not set is undefined. */
export interface AgentConfig {
  /** Instructions for agents when a session starts, in plain words. */
  readonly rules?: readonly string[];
  /** The same for the sessions of one harness. */
  readonly rulesFor?: Readonly<Record<string, readonly string[]>>;
  readonly flow?: Flow;
  /** Agent ids that may write from any project; `*` for all. */
  readonly allow?: readonly string[];
  /** Agent ids whose messages are held; `*` for all. */
  readonly deny?: readonly string[];
  /** Agent ids that may stop a session (priority 5), besides the session's agent. */
  readonly stop?: readonly string[];
  /** How many messages one sender may have shown in ten minutes. */
  readonly perTenMinutes?: number;
  readonly locks?: LockMode;
  /** How messages travel between machines: `nats://user@host:4222`. */
  readonly transport?: string;
  /** Arguments for a harness that `send --start` runs. */
  readonly start?: Readonly<Record<string, readonly string[]>>;
}

/** The kind of value that each key takes. */
export const CONFIG_KEYS = {
  rules: "texts",
  rulesFor: "texts by harness",
  flow: "flow",
  allow: "texts",
  deny: "texts",
  stop: "texts",
  perTenMinutes: "count",
  locks: "lock mode",
  transport: "text",
  start: "texts by harness",
} as const;

export type ConfigKey = keyof typeof CONFIG_KEYS;

export function isConfigKey(name: string): name is ConfigKey {
  return Object.hasOwn(CONFIG_KEYS, name);
}

/** Keys that count only in the user's file: a repository must not say where messages go, or what runs. */
export const USER_KEYS: readonly ConfigKey[] = ["transport", "start"];

export interface ParsedConfig {
  readonly config: AgentConfig;
  readonly unknown: readonly string[];
}

/** Checks the values of a file. A known key with a value that makes no sense is a YamlProblem. */
export function parseAgentConfig(
  fields: Readonly<Record<string, unknown>>,
  lines: ReadonlyMap<string, number> = new Map(),
): ParsedConfig {
  const check = (key: ConfigKey): Checked => new Checked(key, fields[key], lines);
  return {
    config: {
      rules: check("rules").texts(),
      rulesFor: check("rulesFor").textsByName(),
      flow: check("flow").oneOf(FLOWS),
      allow: check("allow").texts(),
      deny: check("deny").texts(),
      stop: check("stop").texts(),
      perTenMinutes: check("perTenMinutes").count(),
      locks: check("locks").oneOf(LOCK_MODES),
      transport: check("transport").text(),
      start: check("start").textsByName(),
    },
    unknown: Object.keys(fields).filter((key) => !isConfigKey(key)),
  };
}

/** The value of one key; null is a key without a value, which sets nothing. */
class Checked {
  constructor(
    readonly path: string,
    readonly value: YamlValue | unknown,
    readonly lines: ReadonlyMap<string, number>,
  ) {}

  text(): string | undefined {
    if (this.#isUnset) return undefined;
    return typeof this.value === "string" ? this.value : this.#fail("a string");
  }

  /** A single text counts as a list of one. */
  texts(): string[] | undefined {
    if (this.#isUnset) return undefined;
    if (typeof this.value === "string") return [this.value];
    const list: unknown = this.value;
    if (!Array.isArray(list)) return this.#fail("a list of strings");
    return list.map((item) =>
      typeof item === "string" ? item : this.#fail("a list of strings; quote numbers")
    );
  }

  textsByName(): Record<string, string[]> | undefined {
    if (this.#isUnset) return undefined;
    if (typeof this.value !== "object" || this.value === null || Array.isArray(this.value)) {
      return this.#fail("the name of a harness with a list of strings below it");
    }
    const entries = Object.entries(this.value).map(([name, value]) =>
      [name, new Checked(`${this.path}.${name}`, value, this.lines).texts() ?? []] as const
    );
    return Object.fromEntries(entries);
  }

  count(): number | undefined {
    if (this.#isUnset) return undefined;
    const isCount = typeof this.value === "number" && Number.isSafeInteger(this.value) && this.value >= 0;
    return isCount ? this.value : this.#fail("a number from 0");
  }

  oneOf<T extends string>(known: readonly T[]): T | undefined {
    if (this.#isUnset) return undefined;
    return known.find((each) => each === this.value) ?? this.#fail(`one of ${known.join(", ")}`);
  }

  get #isUnset(): boolean {
    return this.value === undefined || this.value === null;
  }

  #fail(wanted: string): never {
    throw new YamlProblem(this.lines.get(this.path) ?? 0, `${this.path} must be ${wanted}`);
  }
}
