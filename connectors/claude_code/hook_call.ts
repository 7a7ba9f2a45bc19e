import { join } from "../../hooks/state/paths.ts";
import type { Site } from "../base/harness.ts";
import { execCommand } from "../base/hooks_config/hook_command.ts";

/**
 * Below 2.1.148 Claude Code ignores `args` and runs the program without its
 * arguments, so POSIX gets one shell command. On Windows the shell is not known,
 * and `args` needs none.
 */
export function hookCall(site: Site, event: string): { command: string; args?: string[] } {
  if (site.host.os === "windows") return site.call("hook", event);
  return { command: execCommand(site.host, site.argv("hook", event)) };
}

/** Claude Code's state file: MCP servers in settings.json are ignored silently. */
export function statePath({ host, home }: Site): string {
  return join(host, host.env("CLAUDE_CONFIG_DIR") || home, ".claude.json");
}
