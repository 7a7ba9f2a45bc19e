import { configTemplate } from "../../../agents/config/config_template.ts";
import { changeConfig } from "../../../agents/config/config_store.ts";
import { scopeOf } from "../../agents/config_scope.ts";
import { type Context, EXIT, type Outcome } from "../../command.ts";

/** Creates an `agents.yaml`; one that exists stays as it is. */
export async function run(context: Context): Promise<Outcome> {
  const { ui, host, binary } = context;
  const scope = scopeOf(context) ?? "user";
  const done = await changeConfig(scope, host, Deno.cwd(), (text) => text ?? configTemplate(scope));
  const path = ui.path(done.path);
  if (done.state === "created") {
    ui.ok(`Created ${path}`);
    if (done.converted) {
      ui.next(`It has the settings of ${ui.path(done.converted)}, which you can delete now.`);
    }
    ui.next("Everything in it is a comment: edit it, or use config set.");
    if (scope === "local") ui.next("Add .signet/agents.local.yaml to your .gitignore.");
  } else ui.ok(`${path} exists; nothing was changed`);
  ui.next(`To see what counts, run: ${binary} agents config show`);
  return { code: EXIT.ok, data: { scope, ...done } };
}
