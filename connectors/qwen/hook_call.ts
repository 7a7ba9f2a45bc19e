import type { Site } from "../base/harness.ts";
import { powerShellCommand, shellCommand } from "../base/hooks_config/hook_command.ts";

/** The command of a hook. It runs in bash; PowerShell takes a quoted path for a string. */
export function hookCall(
  { host, argv }: Site,
  event: string,
): { name: string; command: string; shell?: string } {
  // Of two hooks with one name, Qwen Code runs only the first.
  const name = `signet-${event}`;
  const words = argv("hook", event);
  if (host.os !== "windows") return { name, command: shellCommand(host, words) };
  return { name, command: powerShellCommand(words), shell: "powershell" };
}
