import type { Finding, Site } from "../base/harness.ts";
import { isObject } from "../../hooks/json.ts";
import { qwen } from "./harness.ts";

/** Whether Qwen Code's settings leave our hooks on. */
export function inspect(site: Site): Promise<Finding[]> {
  const path = qwen.configPath(site);
  const settings = site.peek(path, "jsonc", ["disableAllHooks"]);
  if (!isObject(settings) || settings.disableAllHooks !== true) {
    return Promise.resolve([{ id: "hooks-enabled", ok: true, message: "Qwen Code's hooks are enabled" }]);
  }
  return Promise.resolve([{
    id: "hooks-disabled",
    ok: false,
    message: `${path}: disableAllHooks is true, so no hook runs`,
    fix: "remove disableAllHooks",
  }]);
}
