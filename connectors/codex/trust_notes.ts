import type { Site } from "../base/harness.ts";
import { programName } from "../base/hooks_config/hook_command.ts";
import { hookCount } from "./trust_record.ts";
import { needsTrust } from "./versions.ts";

/** What to do after an install: Codex runs only hooks that its user trusts. */
export function trustNotes(site: Site): string[] {
  const restart = "Codex reads its hooks when it starts: restart any running session.";
  if (site.flags.trustHooks || !needsTrust(site)) return [restart];
  const { command, args } = site.call("install", "--trust-hooks");
  const name = programName(command);
  const trust = `open codex, type /hooks and trust the ${hookCount(site)} Signet hooks`;
  return [
    `Codex runs no hook until you trust it: ${trust} (or run: ${[name, ...args].join(" ")}).`,
    restart,
  ];
}
