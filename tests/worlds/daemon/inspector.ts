import { cacheDir } from "../../../scripts/build/denort/cache_dir.ts";
import { run } from "../../../scripts/build/run.ts";

const PACKAGE = "@modelcontextprotocol/inspector";
const VERSION = "2.12.0";

export interface Inspected {
  readonly code: number;
  readonly document: unknown;
  readonly stderr: string;
}

/** The MCP inspector's command line, installed once into the user's cache. */
export async function inspector(): Promise<
  (server: readonly string[], args: readonly string[], env: Record<string, string>) => Promise<Inspected>
> {
  const dir = `${cacheDir()}/inspector-${VERSION}`;
  const script = `${dir}/node_modules/.bin/mcp-inspector`;
  if (!await exists(script)) {
    await Deno.mkdir(dir, { recursive: true });
    const spec = `${PACKAGE}@${VERSION}`;
    const options = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund"];
    // Not --prefix: npm then looks for its global settings, and the CA file in them, under that prefix.
    await Deno.writeTextFile(`${dir}/package.json`, "{}");
    const done = await run("npm", ["install", ...options, spec], { cwd: dir, timeoutMs: 300_000 });
    if (done.code !== 0) throw new Error(`npm could not install ${spec}: ${done.stderr}`);
  }
  return async (server, args, env) => {
    const { code, stdout, stderr } = await run(script, ["--cli", ...server, ...args], {
      env,
      clearEnv: true,
      timeoutMs: 60_000,
    });
    return { code, document: stdout.trim() === "" ? undefined : JSON.parse(stdout), stderr };
  };
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch {
    return false;
  }
}
