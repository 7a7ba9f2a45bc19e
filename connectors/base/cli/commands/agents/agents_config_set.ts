import { changeConfig, configFiles } from "../../../agents/config/config_store.ts";
import { typedKey, typedValue } from "../../../agents/config/config_key.ts";
import { configTemplate } from "../../../agents/config/config_template.ts";
import { setInText, unsetInText } from "../../../agents/config/edit_config.ts";
import { effectiveConfig } from "../../../agents/config/effective_config.ts";
import { scopeOf } from "../../agents/config_scope.ts";
import { type Context, EXIT, type Outcome, UserError } from "../../command.ts";

/** `agents config set` and `agents config unset`. */
export async function run(context: Context): Promise<Outcome> {
  const { args, binary, command, ui, host } = context;
  const sets = command.id.endsWith(".set");
  const scope = scopeOf(context) ?? "user";
  const [name, ...values] = args;
  if (name === undefined || sets !== values.length > 0) {
    const usage = sets ? "set KEY VALUE…" : "unset KEY";
    throw new UserError(
      sets ? "What is set to what?" : "One key is unset at a time.",
      EXIT.usage,
      `${binary} agents config ${usage}`,
    );
  }
  const { key, path } = typedKey(name, scope);
  const value = sets ? typedValue(key, values) : undefined;
  const cwd = Deno.cwd();
  const done = await changeConfig(
    scope,
    host,
    cwd,
    (text) =>
      value === undefined
        ? unsetInText(text ?? "", path)
        : setInText(text ?? configTemplate(scope), path, value),
  );
  const what = done.state === "unchanged" ? "was so already" : sets ? "set" : "unset";
  ui.ok(`${ui.bold(path.join("."))} ${what} in ${ui.path(done.path)}`);
  if (done.converted) ui.next(`It has the settings of ${ui.path(done.converted)}, which you can delete now.`);
  if (key === "transport" && value !== undefined && value !== "daemon") {
    ui.next(`To store the login for this server, run: ${binary} agents login`);
  }
  const { ignored } = effectiveConfig(await configFiles(host, cwd), host);
  const here = ignored.filter((each) => each.scope === scope && each.key === key);
  for (const { why } of here) ui.warn(`It does not count here: ${why}.`);
  return { code: EXIT.ok, data: { scope, key: path.join("."), ...done, ignored: here } };
}
