import {
  CONFIG_KEYS,
  type ConfigKey,
  FLOWS,
  isConfigKey,
  USER_KEYS,
} from "../../../../hooks/agents/config/agent_config.ts";
import { LOCK_MODES } from "../../../../hooks/agents/config/lock_modes.ts";
import type { Scope } from "../../../../hooks/agents/config/config_files.ts";
import { EXIT, UserError } from "../../cli/command.ts";
import { suggestion } from "../../cli/suggestion.ts";
import type { Path } from "../../edit/edit.ts";
import { parseTransport } from "../transport/read_transport.ts";
import type { ConfigValue } from "./edit_config.ts";

/** A key as it is typed: `locks`, or `start.codex` for one harness. */
export interface TypedKey {
  readonly key: ConfigKey;
  readonly path: Path;
}

const KEYS = Object.keys(CONFIG_KEYS);

/** `rules.codex` reads well, but the key is `rulesFor.codex`. */
export function typedKey(text: string, scope: Scope): TypedKey {
  const [name = "", ...rest] = text.split(".");
  if (!isConfigKey(name)) {
    throw new UserError(
      `There is no key ${name}.${didYouMean(name)}`,
      EXIT.usage,
      `one of ${KEYS.join(", ")}`,
    );
  }
  const key = name;
  const byHarness = CONFIG_KEYS[key] === "texts by harness";
  const [harness, ...more] = rest;
  if (byHarness !== (harness !== undefined) || more.length > 0 || harness === "") {
    throw new UserError(
      byHarness ? `${key} needs a harness.` : `${key} has no keys below it.`,
      EXIT.usage,
      byHarness ? `${key}.codex` : key,
    );
  }
  if (harness !== undefined && !/^[A-Za-z][A-Za-z0-9_-]*$/.test(harness)) {
    throw new UserError(`${harness} is not the name of a harness.`, EXIT.usage, `${key}.codex`);
  }
  if (scope !== "user" && USER_KEYS.includes(key)) {
    throw new UserError(`Only your own file can set ${key}: a repository may only tighten.`, EXIT.usage);
  }
  return { key, path: harness === undefined ? [key] : [key, harness] };
}

/** ` Did you mean locks?`, or "" if nothing is near. */
export function didYouMean(name: string): string {
  const near = suggestion(name, KEYS);
  return near === undefined ? "" : ` Did you mean ${near}?`;
}

/** The value of `config set KEY VALUE…`, checked. */
export function typedValue(key: ConfigKey, values: readonly string[]): ConfigValue {
  const kind = CONFIG_KEYS[key];
  if (kind === "texts" || kind === "texts by harness") return [...new Set(values)];
  const [value, ...more] = values;
  if (value === undefined || more.length > 0) {
    throw new UserError(`${key} takes one value.`, EXIT.usage, `agents config set ${key} VALUE`);
  }
  switch (kind) {
    case "flow":
      return choice(key, value, FLOWS);
    case "lock mode":
      return choice(key, value, LOCK_MODES);
    case "count":
      if (/^\d{1,9}$/.test(value)) return Number(value);
      throw new UserError(`${key} must be a number from 0, not ${value}.`, EXIT.usage);
    case "text":
      parseTransport(value);
      return value;
  }
}

function choice(key: ConfigKey, value: string, known: readonly string[]): string {
  if (known.includes(value)) return value;
  const near = suggestion(value, known);
  throw new UserError(
    `${key} must be one of ${known.join(", ")}, not ${value}.${near ? ` Did you mean ${near}?` : ""}`,
    EXIT.usage,
  );
}
