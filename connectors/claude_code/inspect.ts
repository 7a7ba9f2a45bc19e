import type { Finding, Site } from "../base/harness.ts";
import { isObject } from "../../hooks/json.ts";
import { claudeCode } from "./harness.ts";

/** Whether the user's settings keep Claude Code from running hooks, which it does silently. */
export function inspect(site: Site): Promise<Finding[]> {
  const path = claudeCode.configPath(site);
  const settings = site.peek(path, "json", ["disableAllHooks"]);
  const off = isObject(settings) && settings.disableAllHooks === true;
  return Promise.resolve([
    off
      ? {
        id: "hooks-disabled",
        ok: false,
        message: "Claude Code runs no hooks: disableAllHooks is true",
        fix: `remove disableAllHooks from ${path}`,
      }
      : { id: "hooks-enabled", ok: true, message: "Claude Code runs hooks" },
  ]);
}
