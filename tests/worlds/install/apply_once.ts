// Installs or uninstalls one harness in one home, in a process of its own:
//   apply_once.ts install|uninstall HARNESS HOME
// Without arguments it does so for each line of its input, a JSON list of these three, and
// answers each with a line: the reason why it failed, or null.
import { HARNESSES } from "../../../connectors/registry.ts";
import { HarnessHome } from "./harness_home.ts";
import { lines } from "../lines.ts";

async function apply([verb, id, path]: readonly string[]): Promise<string | null> {
  const harness = HARNESSES.find((harness) => harness.id === id);
  if (!harness || path === undefined) throw new Error("usage: apply_once.ts install|uninstall HARNESS HOME");
  const home = new HarnessHome(harness, path);
  try {
    await (verb === "install" ? home.install() : home.uninstall());
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

if (Deno.args.length > 0) {
  const failure = await apply(Deno.args);
  if (failure !== null) {
    console.log(failure);
    Deno.exit(3);
  }
} else {
  for await (const line of lines(Deno.stdin.readable)) {
    console.log(JSON.stringify(await apply(JSON.parse(line))));
  }
}
