import { type Scope, SCOPES } from "../../../../hooks/agents/config/config_files.ts";
import type { Context } from "../command.ts";

/** The scope that `--scope` names. */
export function scopeOf({ flags }: Pick<Context, "flags">): Scope | undefined {
  const given = flags.text("scope");
  return SCOPES.find((scope) => scope === given);
}
