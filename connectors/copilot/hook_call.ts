import type { Site } from "../base/harness.ts";
import {
  guardedCommand,
  guardedPowerShellCommand,
  powerShellCommand,
  shellCommand,
} from "../base/hooks_config/hook_command.ts";

/**
 * A hook runs in bash, and on Windows in PowerShell, which takes a quoted path for a
 * string. An error before a tool call refuses it: a program that is gone must not.
 */
export function hookCall({ host, argv }: Site, event: string): { command: string } | { powershell: string } {
  const words = argv("hook", event);
  const isGuarded = event === "pre-tool";
  if (host.os === "windows") {
    return { powershell: (isGuarded ? guardedPowerShellCommand : powerShellCommand)(words) };
  }
  return { command: (isGuarded ? guardedCommand : shellCommand)(host, words) };
}
