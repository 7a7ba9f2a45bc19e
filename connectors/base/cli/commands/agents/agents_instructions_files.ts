import { type ConfigFile, describeProblem } from "../../../../../hooks/agents/config/config_files.ts";
import { configFiles } from "../../../agents/config/config_store.ts";
import { type Context, EXIT, type Outcome } from "../../command.ts";
import { table } from "../../output/layout.ts";

/** Lists the files that a session's instructions come from, in this directory. */
export async function run({ ui, host }: Context): Promise<Outcome> {
  const files = await configFiles(host, Deno.cwd());
  ui.block(table(
    ["SCOPE", "FILE", "RULES"],
    files.map((file) => [file.scope, ui.path(file.path), rulesOf(file)]),
    ui,
  ));
  const broken = files.filter(({ state }) => state === "broken");
  for (const file of broken) ui.fail(`${describeProblem(file)}.`);
  return {
    code: broken.length > 0 ? EXIT.file : EXIT.ok,
    data: { files: files.map(({ scope, path, state, problem }) => ({ scope, path, state, problem })) },
  };
}

function rulesOf({ state, config }: ConfigFile): string {
  if (state !== "read") return state;
  const byHarness = Object.entries(config.rulesFor ?? {}).map(([name, rules]) => `${name} ${rules.length}`);
  return [String(config.rules?.length ?? 0), ...byHarness].join(", ");
}
