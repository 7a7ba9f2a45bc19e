import { fromFileUrl } from "@std/path";
import { run } from "./process.ts";

const INSIDE = "SIGNET_E2E_INSIDE";

/** Whether this process already runs where only loopback exists. */
export function isInside(): boolean {
  return Deno.env.get(INSIDE) === "1";
}

/** Why a loopback-only network namespace cannot be made here; undefined if it can. */
export async function namespaceProblem(): Promise<string | undefined> {
  if (Deno.build.os !== "linux") {
    return `network namespaces are a Linux feature, and this is ${Deno.build.os}`;
  }
  try {
    const tried = await run("unshare", ["-n", "sh", "-c", "ip link set lo up"], { timeoutMs: 10_000 });
    if (tried.code === 0) return undefined;
    return `'unshare -n' followed by 'ip link set lo up' failed: ${tried.stderr.trim()}`;
  } catch (err) {
    if (err instanceof Deno.errors.NotFound) {
      return "the program 'unshare' (Debian: util-linux) is not on PATH";
    }
    throw err;
  }
}

/**
 * Runs the given module again in a namespace that has only loopback. Everything
 * it starts is in there too: what passes inside needs no other network.
 */
export async function runInside(moduleUrl: string, args: string[]): Promise<number> {
  const deno = ["run", "-A", "--cached-only", fromFileUrl(moduleUrl), ...args];
  const child = new Deno.Command("unshare", {
    args: ["-n", "sh", "-c", 'ip link set lo up && exec "$@"', "sh", Deno.execPath(), ...deno],
    env: { [INSIDE]: "1" },
  }).spawn();
  return (await child.status).code;
}
