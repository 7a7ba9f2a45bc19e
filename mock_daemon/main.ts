import { parseArgs } from "@std/cli/parse-args";
import { HARNESSES } from "../connectors/registry.ts";
import type { AuthMode } from "./options.ts";
import { PROFILE_NAMES } from "./profile/profile.ts";
import { PROFILES } from "./profile/profiles.ts";
import { serve, type ServeOptions } from "./serve.ts";
import { isKey, newKey } from "./store/keys.ts";

const USAGE = `Usage: signet-mock-daemon [options]

A mock Signet daemon for developing and testing connectors. Prints its URL; open it in a
browser to see the inspector.

  --profile NAME         daemon to be: design follows the contract; 0.145 and 0.58 answer as those
                         versions of Signet do, defects included (default design)
  --port N               port to listen on (default 3850; 0 picks a free port)
  --host HOST            address to listen on (default 127.0.0.1); any other needs --auth team
  --auth MODE            local: no key needed; hybrid: key needed from other machines; team: key always
                         needed (default local)
  --admin-key-file FILE  file with the first admin key; created with mode 0600 if missing
                         (with --profile 0.58 a new admin token is written to it)
  --db FILE              store memories, keys and ended sessions in FILE (default: in memory)
  --record FILE          append every request to FILE, one JSON line each, with keys redacted
  --workspace DIR        Signet workspace whose identity files session-start returns
  --strict               answer 422 to input that a real daemon would silently ignore
  --scriptable           enable POST /__mock/script, which injects faults
  --dedupe-header        also deduplicate by the Idempotency-Key header
  --help

An admin can log in with the user name and password in SIGNET_ADMIN_USERNAME (default admin) and
SIGNET_ADMIN_PASSWORD.
`;

class UsageError extends Error {}

const STRING_FLAGS = [
  "profile",
  "port",
  "host",
  "auth",
  "admin-key-file",
  "db",
  "record",
  "workspace",
] as const;
const BOOLEAN_FLAGS = ["strict", "scriptable", "dedupe-header", "help"] as const;
const MODES: readonly AuthMode[] = ["local", "hybrid", "team"];

/** Reads the key, or creates the file. The key itself is never printed. */
function adminKey(path: string): string {
  const key = newKey();
  try {
    Deno.writeTextFileSync(path, `${key}\n`, { createNew: true, mode: 0o600 });
    return key;
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
  const existing = Deno.readTextFileSync(path).trim();
  if (!isKey(existing)) {
    throw new UsageError(`${path} does not contain an API key; delete it to have a new key created.`);
  }
  return existing;
}

/** 0.58 has no keys: the file gets a token, which is valid until the daemon stops. */
function writeToken(path: string, token: string): void {
  Deno.writeTextFileSync(path, `${token}\n`, { mode: 0o600 });
  if (Deno.build.os !== "windows") Deno.chmodSync(path, 0o600);
}

interface Options extends ServeOptions {
  readonly tokenFile?: string;
}

function readOptions(args: readonly string[]): Options | "help" {
  const flags = parseArgs(args, {
    string: STRING_FLAGS,
    boolean: BOOLEAN_FLAGS,
    unknown: (arg) => {
      throw new UsageError(`unknown option "${arg}"; see --help.`);
    },
  });
  if (flags.help === true) return "help";
  const value = (name: (typeof STRING_FLAGS)[number]): string | undefined => {
    const given = flags[name];
    if (given === undefined) return undefined;
    if (typeof given !== "string" || given === "") {
      throw new UsageError(`--${name} needs one value; see --help.`);
    }
    return given;
  };
  const port = Number(value("port") ?? 3850);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new UsageError(`--port ${flags.port} is not a valid port; use a number from 0 to 65535.`);
  }
  const mode = value("auth") ?? "local";
  const auth = MODES.find((known) => known === mode);
  if (auth === undefined) {
    throw new UsageError(`--auth ${mode} is not a valid mode; use ${MODES.join(", ")}.`);
  }
  const wanted = value("profile") ?? "design";
  const profile = PROFILE_NAMES.find((known) => known === wanted);
  if (profile === undefined) {
    throw new UsageError(`--profile ${wanted} is not a profile; use ${PROFILE_NAMES.join(", ")}.`);
  }
  const password = Deno.env.get("SIGNET_ADMIN_PASSWORD");
  const { apiKeys } = PROFILES[profile].access;
  const keyFile = value("admin-key-file");
  if (auth === "team" && keyFile === undefined) {
    throw new UsageError(
      "--auth team needs an admin key; add --admin-key-file FILE, which is created if missing.",
    );
  }
  return {
    profile,
    port,
    host: value("host"),
    auth,
    admin: password ? { username: Deno.env.get("SIGNET_ADMIN_USERNAME") || "admin", password } : undefined,
    adminKey: keyFile === undefined || !apiKeys ? undefined : adminKey(keyFile),
    tokenFile: apiKeys ? undefined : keyFile,
    db: value("db"),
    record: value("record"),
    workspace: value("workspace"),
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
    if (options.tokenFile !== undefined) {
      const ttlSeconds = 365 * 24 * 60 * 60;
      writeToken(options.tokenFile, server.daemon.createToken({ role: "admin", ttlSeconds }));
    }
  } catch (error) {
    console.error(`signet-mock-daemon: ${error instanceof Error ? error.message : error}`);
    return error instanceof UsageError ? 2 : 1;
  }
  console.log(server.url);
  await new Promise<void>((resolve) => {
    Deno.addSignalListener("SIGINT", resolve);
    // Windows supports only SIGINT and SIGBREAK.
    if (Deno.build.os !== "windows") Deno.addSignalListener("SIGTERM", resolve);
  });
  await server.shutdown();
  return 0;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
