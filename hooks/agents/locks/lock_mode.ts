import { parseObject } from "../../json.ts";
import { HOST, type Surroundings } from "../../state/paths.ts";
import { readStateFile } from "../../state/state_file.ts";
import { policyPath } from "../policy.ts";

/**
 * `off`: locks are ignored. `on`: locks that were asked for are enforced. `auto`:
 * an edit also takes a lock, for two minutes or until the end of the turn.
 * `strict`: like `on`, and if locks cannot be checked, nothing is edited.
 */
export type LockMode = "off" | "on" | "auto" | "strict";
export const LOCK_MODES: readonly LockMode[] = ["off", "on", "auto", "strict"];

/** From SIGNET_LOCKS, else `locks` in `~/.config/signet/agents.json`, else `on`. */
export function lockMode(host: Surroundings = HOST): LockMode {
  const set = modeFrom(host.env("SIGNET_LOCKS"));
  if (set !== undefined) return set;
  const path = policyPath(host);
  const file = path === undefined ? undefined : readStateFile(path, 65_536);
  return file?.kind === "text" ? modeFrom(parseObject(file.text)?.locks) ?? "on" : "on";
}

function modeFrom(value: unknown): LockMode | undefined {
  return LOCK_MODES.find((mode) => mode === value);
}
