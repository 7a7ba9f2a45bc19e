import { isObject } from "../../hooks/json.ts";
import { join } from "../../hooks/state/paths.ts";
import type { Json, Path } from "../base/edit/edit.ts";
import type { Site, Target } from "../base/harness.ts";
import { isOriginalCommand, wordsOf } from "../base/install/original/original_command.ts";
import { snakeCase } from "./trust_record.ts";

/** The keys that `originalTables` looks at. */
export const ORIGINAL_KEYS = ["hooks", "marketplaces", "plugins", "mcp_servers"];

/**
 * What the original Signet's connector of 0.145 left in config.toml: trust records of its hooks,
 * a plugin, and an MCP server by URL. The one by command is recognised everywhere.
 */
export function originalTables(site: Site, hooksJson: string, config: Json | undefined): Path[] {
  const table = (...path: string[]) =>
    path.reduce<Json | undefined>((value, key) => isObject(value) ? value[key] : undefined, config);
  const server = table("mcp_servers", "signet");
  const isRemote = isObject(server) && typeof server.url === "string" && /\/mcp\/?$/.test(server.url);
  return [
    ...originalHandlers(site.peek(hooksJson, "json", ["hooks"])).flatMap(([native, group, handler]) => {
      const path = ["hooks", "state", [hooksJson, snakeCase(native), group, handler].join(":")];
      return table(...path) === undefined ? [] : [path];
    }),
    ...[["marketplaces", "signet-local"], ["plugins", "signet@signet-local"]].filter((path) =>
      table(...path) !== undefined
    ),
    ...isRemote ? [["mcp_servers", "signet"]] : [],
  ];
}

/** The event and position of each hook of the original Signet. */
function originalHandlers(file: Json | undefined): [native: string, group: number, handler: number][] {
  const events = isObject(file) && isObject(file.hooks) ? file.hooks : {};
  return Object.entries(events).flatMap(([native, groups]) =>
    list(groups).flatMap((group, at) =>
      list(isObject(group) ? group.hooks : undefined).flatMap((handler, index) =>
        isOriginalCommand(wordsOf(handler) ?? []) ? [[native, at, index] as [string, number, number]] : []
      )
    )
  );
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

type Original = Extract<Target, { kind: "original" }>;

const BLOCK = /(?:^|\n)# >>> signet codex >>>\n[^]*?\n# <<< signet codex <<<(?:\n|$)/;

/** What 0.58 put around Codex: a program in its place, and a block in shell files that puts it first on PATH. */
export function originalWrapper(site: Site): Target[] {
  const { host, home } = site;
  if (host.os === "windows") return [];
  const wrapper: Original = {
    kind: "original",
    path: join(host, home, ".config", "signet", "bin", "codex"),
    what: "its wrapper around Codex",
    without: (text) => /^#!.*sh\n/.test(text) && /signet/i.test(text) ? undefined : text,
  };
  const shells = [".zshrc", ".bashrc", ".bash_profile"].map((name): Original => ({
    kind: "original",
    path: join(host, home, name),
    what: "its block for the wrapper around Codex",
    without(text) {
      const left = text.replace(BLOCK, (block) => block.startsWith("\n") ? "\n" : "");
      return left === text || left.trim() !== "" ? left : undefined;
    },
  }));
  return [wrapper, ...shells].filter(({ path, without }) => {
    const text = site.readText(path);
    return text !== undefined && without(text) !== text;
  });
}
