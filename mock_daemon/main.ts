import { parseArgs } from "@std/cli/parse-args";
import { HARNESSES } from "../connectors/registry.ts";
import type { AuthMode } from "./options.ts";
import { serve, type ServeOptions } from "./serve.ts";
import { isKey, newKey } from "./store/keys.ts";

const USAGE = `Usage: signet-mock-daemon [options]

A Signet daemon to try connectors on. Prints its URL; the inspector is at that URL.

  --port N               the port (default 3850; 0 takes a free one)
  --host HOST            the address (default 127.0.0.1); any that others reach needs --auth team
  --auth MODE            local: no key; hybrid: a key from elsewhere; team: always a key (default local)
  --admin-key-file FILE  the first admin key; made there, readable by you alone, if the file is missing
  --db FILE              keep memories, keys and ended sessions in FILE (default: in memory)
  --record FILE          append every request to FILE, one JSON line each, keys hidden
  --workspace DIR        the Signet workspace whose AGENTS.md & co. a session start tells
  --strict               answer 422 to what a real daemon would silently ignore
  --scriptable           let POST /__mock/script make it misbehave
  --dedupe-header        also de-duplicate by the Idempotency-Key header
  --help
`;

class UsageError extends Error {}

const TEXT = ["port", "host", "auth", "admin-key-file", "db", "record", "workspace"] as const;
const FLAGS = ["strict", "scriptable", "dedupe-header", "help"] as const;
const MODES: readonly AuthMode[] = ["local", "hybrid", "team"];

/** Reads the key, or makes the file. The key itself is never printed. */
function adminKey(path: string): string {
  const key = newKey();
  try {
    Deno.writeTextFileSync(path, `${key}\n`, { createNew: true, mode: 0o600 });
    return key;
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
  const there = Deno.readTextFileSync(path).trim();
  if (!isKey(there)) {
    throw new UsageError(`${path} holds no API key; remove it, and a new one is made there.`);
  }
  return there;
}

export function readOptions(args: readonly string[]): ServeOptions | "help" {
  const flags = parseArgs(args, {
    string: TEXT,
    boolean: FLAGS,
    unknown: (arg) => {
      throw new UsageError(`"${arg}" is not an option of the mock daemon; see --help.`);
    },
  });
  if (flags.help === true) return "help";
  const given = (name: (typeof TEXT)[number]): string | undefined => {
    const value = flags[name];
    if (value === undefined) return undefined;
    if (typeof value !== "string" || value === "") {
      throw new UsageError(`--${name} needs one value; see --help.`);
    }
    return value;
  };
  const port = Number(given("port") ?? 3850);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new UsageError(`--port ${flags.port} is not a port; give a number from 0 to 65535.`);
  }
  const mode = given("auth") ?? "local";
  const auth = MODES.find((one) => one === mode);
  if (auth === undefined) throw new UsageError(`--auth ${mode} is not a mode; give ${MODES.join(", ")}.`);
  const keyFile = given("admin-key-file");
  if (auth === "team" && keyFile === undefined) {
    throw new UsageError(
      "--auth team needs a first admin key; add --admin-key-file FILE, which is made if missing.",
    );
  }
  return {
    port,
    host: given("host"),
    auth,
    adminKey: keyFile === undefined ? undefined : adminKey(keyFile),
    db: given("db"),
    record: given("record"),
    workspace: given("workspace"),
    strict: flags.strict === true,
    scriptable: flags.scriptable === true,
    dedupeHeader: flags["dedupe-header"] === true,
  };
}

/** Runs until SIGINT or SIGTERM. */
export async function main(args: readonly string[]): Promise<number> {
  let server;
  try {
    const options = readOptions(args);
    if (options === "help") {
      console.log(USAGE);
      return 0;
    }
    server = serve({ ...options, matrix: HARNESSES });
  } catch (error) {
    console.error(`signet-mock-daemon: ${error instanceof Error ? error.message : error}`);
    return error instanceof UsageError ? 2 : 1;
  }
  console.log(server.url);
  await new Promise<void>((resolve) => {
    Deno.addSignalListener("SIGINT", resolve);
    // Windows knows SIGINT and SIGBREAK only.
    if (Deno.build.os !== "windows") Deno.addSignalListener("SIGTERM", resolve);
  });
  await server.shutdown();
  return 0;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
