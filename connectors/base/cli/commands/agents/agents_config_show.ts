import { CONFIG_KEYS, isConfigKey } from "../../../../../hooks/agents/config/agent_config.ts";
import { type ConfigFile, describeProblem } from "../../../../../hooks/agents/config/config_files.ts";
import { stripControls } from "../../../../../hooks/context_text/strip_controls.ts";
import { configFiles } from "../../../agents/config/config_store.ts";
import {
  effectiveConfig,
  type EffectiveValue,
  type Ignored,
} from "../../../agents/config/effective_config.ts";
import { scopeOf } from "../../agents/config_scope.ts";
import { type Context, EXIT, type Outcome } from "../../command.ts";
import { table } from "../../output/layout.ts";

/** Shows what counts in this directory, where it comes from, and what does not count. */
export async function run(context: Context): Promise<Outcome> {
  const { ui, host } = context;
  const scope = scopeOf(context);
  const all = await configFiles(host, Deno.cwd());
  const files = scope === undefined ? all : all.filter((file) => file.scope === scope);
  const { values, ignored } = effectiveConfig(all, host);
  const shown = scope === undefined ? values : ownValues(files);
  const broken = files.filter(({ state }) => state === "broken");
  for (const { scope: name, path, state } of files) {
    ui.next(`${name}: ${ui.path(path)}${state === "read" ? "" : ui.dim(` (${state})`)}`);
  }
  ui.block(table(
    ["KEY", "VALUE", "FROM"],
    shown.map(({ key, value, from }) => [key, words(value), from.join(", ")]),
    ui,
  ));
  const lost = ignored.filter((each) => scope === undefined || each.scope === scope);
  for (const each of lost) ui.warn(`${ui.path(where(each))}: ${each.key} does not count: ${clean(each.why)}`);
  for (const file of broken) {
    ui.fail(`${describeProblem(file)}. All messages are held, and locks are strict, until it is fixed.`);
  }
  return {
    code: broken.length > 0 ? EXIT.file : EXIT.ok,
    data: {
      files: files.map(({ scope, path, state, problem }) => ({ scope, path, state, problem })),
      values: shown,
      ignored: lost,
    },
  };
}

/** What the files themselves say. */
function ownValues(files: readonly ConfigFile[]): EffectiveValue[] {
  const keys = Object.keys(CONFIG_KEYS).filter(isConfigKey);
  return files.flatMap(({ scope, config }) =>
    keys.filter((key) => config[key] !== undefined).map((key) => ({ key, value: config[key], from: [scope] }))
  );
}

function where({ path, line }: Ignored): string {
  return line === undefined ? path : `${path}:${line}`;
}

/** A value on one line. A repository's words must not control the terminal. */
function words(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(clean).join("; ");
  if (typeof value !== "object" || value === null) return clean(value);
  const parts = Object.entries(value).map(([name, texts]) => `${name}: ${words(texts)}`);
  return parts.length === 0 ? "none" : parts.join("; ");
}

function clean(value: unknown): string {
  return stripControls(String(value)).replace(/\s+/g, " ").trim();
}
