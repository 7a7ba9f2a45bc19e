// Installs or uninstalls one harness in one home, in a process of its own:
//   apply_once.ts install|uninstall HARNESS HOME
import { HARNESSES } from "../../connectors/registry.ts";
import { HarnessHome } from "./harness_home.ts";

const [verb, id, path] = Deno.args;
const harness = HARNESSES.find((harness) => harness.id === id);
if (!harness || path === undefined) throw new Error("usage: apply_once.ts install|uninstall HARNESS HOME");
const home = new HarnessHome(harness, path);
try {
  await (verb === "install" ? home.install() : home.uninstall());
} catch (error) {
  console.log(error instanceof Error ? error.message : error);
  Deno.exit(3);
}
