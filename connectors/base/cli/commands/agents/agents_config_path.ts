import { configPath } from "../../../agents/config/config_store.ts";
import { scopeOf } from "../../agents/config_scope.ts";
import { type Context, EXIT, type Outcome } from "../../command.ts";

/** Prints the path of a file, whether or not it exists: `$EDITOR "$(… agents config path)"`. */
export function run(context: Context): Promise<Outcome> {
  const scope = scopeOf(context) ?? "user";
  const path = configPath(scope, context.host, Deno.cwd());
  context.ui.block(`${path}\n`);
  return Promise.resolve({ code: EXIT.ok, data: { scope, path } });
}
