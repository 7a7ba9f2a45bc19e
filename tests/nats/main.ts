import { fromFileUrl } from "@std/path";
import { findNamespace, LOOPBACK } from "../e2e/namespace.ts";

/**
 * Runs the tests of this folder against a real nats-server, in a namespace that has
 * nothing but loopback: `deno task test:nats [FILE…]`.
 */
async function main(): Promise<number> {
  const version = await new Deno.Command("nats-server", { args: ["--version"] }).output().catch(() =>
    undefined
  );
  if (version?.success !== true) {
    console.error("nats-server is not on PATH. On Debian: apt-get install nats-server");
    return 1;
  }
  console.log(new TextDecoder().decode(version.stdout).trim());
  const way = await findNamespace();
  if (typeof way === "string") {
    console.error(`No namespace without a network can be made: ${way}`);
    return 1;
  }
  const folder = fromFileUrl(new URL(".", import.meta.url));
  const files = Deno.args.length > 0 ? Deno.args : [folder];
  // Inside, there is no registry.
  const cached = await new Deno.Command(Deno.execPath(), { args: ["cache", "-q", ...testFiles(folder)] })
    .spawn().status;
  if (!cached.success) return 1;
  const test = [Deno.execPath(), "test", "-A", "--no-check", "--cached-only", ...files];
  const { code } = await new Deno.Command("unshare", {
    args: [...way, "sh", "-c", `${LOOPBACK} && "$@"; exit $?`, "sh", ...test],
  }).spawn().status;
  return code;
}

function testFiles(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => `${folder}/${name}`)
    .filter((path) => path.endsWith("_test.ts"));
}

Deno.exit(await main());
