/**
 * Compiles sample_hook.ts as a connector is compiled, into the file that is named,
 * for SIGNET_TEST_HOOK: the process tests then run on it.
 */
import { fromFileUrl } from "@std/path";
import { bundle } from "../../../scripts/build/bundle/bundle.ts";
import { compile } from "../../../scripts/build/compile.ts";
import { CONNECTOR_PERMISSIONS } from "../../../scripts/build/permissions.ts";
import { hostTarget } from "../../../scripts/build/targets.ts";
import { openBuildContext } from "../../../scripts/build/build_context.ts";

const [output] = Deno.args;
if (output === undefined) {
  console.error("Name the file to write: deno run -A tests/worlds/hooks/compile_sample_hook.ts FILE");
  Deno.exit(2);
}
const root = fromFileUrl(new URL("../../..", import.meta.url)).replace(/[\\/]$/, "");
const work = await Deno.makeTempDir();
try {
  const context = await openBuildContext(root, work, hostTarget(), false);
  const files = await bundle(root, "tests/worlds/hooks/sample_hook.ts", context.npmCache);
  const named = new Map(
    [...files].map(([name, text]) => [name === "sample_hook.js" ? "main.js" : name, text]),
  );
  const flags = ["--no-prompt", "--no-code-cache", ...CONNECTOR_PERMISSIONS.map(({ flag }) => flag)];
  await Deno.copyFile(await compile(named, flags, context.denort, work, "sample"), output);
  await Deno.chmod(output, 0o755);
} finally {
  await Deno.remove(work, { recursive: true });
}
