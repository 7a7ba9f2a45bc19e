import { fromFileUrl } from "@std/path";
import { run } from "./process.ts";

const INSIDE = "SIGNET_E2E_INSIDE";
export const LOOPBACK = "ip link set lo up";
/**
 * In order of preference. With a process namespace as well, whatever a harness
 * leaves running ends with the run. The last one is for ordinary users.
 */
const WAYS = [["-n", "-p", "-f", "--kill-child", "--mount-proc"], ["-n"], ["-r", "-n"]];

/** Whether this process already runs where only loopback exists. */
export function isInside(): boolean {
  return Deno.env.get(INSIDE) === "1";
}

/** How to make a namespace here, as arguments of `unshare`; a string says why it cannot be done. */
export async function findNamespace(): Promise<string[] | string> {
  if (Deno.build.os !== "linux") {
    return `network namespaces are a feature of Linux, and this is ${Deno.build.os}`;
  }
  const said: string[] = [];
  try {
    for (const way of WAYS) {
      const tried = await run("unshare", [...way, "sh", "-c", LOOPBACK], { timeoutMs: 120_000 });
      if (tried.code === 0) return way;
      said.push(`'unshare ${way.join(" ")}' with '${LOOPBACK}': ${tried.stderr.trim()}`);
    }
  } catch (err) {
    if (err instanceof Deno.errors.NotFound) {
      return "the program 'unshare' (Debian: util-linux) is not on PATH";
    }
    throw err;
  }
  return said.join("; ");
}

/**
 * Runs a module again in a namespace that has only loopback. Everything it
 * starts is in there too: what passes inside needs no other network.
 */
export async function runInside(
  way: readonly string[],
  moduleUrl: string,
  args: readonly string[],
): Promise<number> {
  const deno = [Deno.execPath(), "run", "-A", "--cached-only", fromFileUrl(moduleUrl), ...args];
  const child = new Deno.Command("unshare", {
    args: [...way, "sh", "-c", `${LOOPBACK} && "$@"; exit $?`, "sh", ...deno],
    env: { [INSIDE]: "1" },
  }).spawn();
  return (await child.status).code;
}
