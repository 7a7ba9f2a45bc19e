import type { Json } from "../base/edit/edit.ts";
import type { Finding, Site } from "../base/harness.ts";
import { isObject } from "../../hooks/json.ts";
import { gemini } from "./harness.ts";

/** Whether Gemini CLI's settings leave our hooks on. */
export function inspect(site: Site): Promise<Finding[]> {
  const path = gemini.configPath(site);
  const settings = site.peek(path, "jsonc", ["hooksConfig"]);
  const switches: Json | undefined = isObject(settings) ? settings.hooksConfig : undefined;
  const off = isObject(switches) && switches.enabled === false;
  const disabled = isObject(switches) && Array.isArray(switches.disabled) &&
    switches.disabled.includes("signet");
  if (off) {
    return finding(
      false,
      `${path}: hooksConfig.enabled is false, so no hook runs`,
      "set hooksConfig.enabled to true",
    );
  }
  if (disabled) {
    return finding(false, `${path}: hooksConfig.disabled names signet`, "run /hooks enable signet in gemini");
  }
  return finding(true, "Gemini CLI's hooks are enabled");
}

function finding(ok: boolean, message: string, fix?: string): Promise<Finding[]> {
  return Promise.resolve([{ id: ok ? "hooks-enabled" : "hooks-disabled", ok, message, fix }]);
}
