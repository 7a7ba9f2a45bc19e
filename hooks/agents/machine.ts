import type { Settings } from "../daemon/settings.ts";

/** This machine's name, as the settings have it. */
export function machineName(settings?: Pick<Settings, "machineId">): string {
  if (settings?.machineId) return settings.machineId;
  try {
    return Deno.hostname();
  } catch {
    return "unknown";
  }
}
