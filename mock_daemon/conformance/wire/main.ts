import { parseArgs } from "@std/cli/parse-args";
import { PROFILE_NAMES } from "../../profile/profile.ts";
import { checkDaemon, type CheckOptions, type Report } from "./check.ts";

const USAGE = `Usage: deno task conformance --url URL [options]

Compares a running Signet daemon with what is known of it, and prints the differences.

  --url URL            the daemon, for example http://127.0.0.1:3850
  --api-key-file FILE  file with an admin's API key or token, for a daemon that needs one
  --profile NAME       what to compare with: ${PROFILE_NAMES.join(", ")} (default: by the daemon's version)
  --write              also run the rows that write: in a throw-away agent, removed afterwards
  --help

Exits 0 if nothing differs, 1 if something does, 2 if the options are wrong.
`;

class UsageError extends Error {}

function readOptions(args: readonly string[]): CheckOptions | "help" {
  const flags = parseArgs(args, {
    string: ["url", "api-key-file", "profile"],
    boolean: ["write", "help"],
    unknown: (arg) => {
      throw new UsageError(`unknown option "${arg}"; see --help.`);
    },
  });
  if (flags.help === true) return "help";
  const value = (name: "url" | "api-key-file" | "profile"): string | undefined => {
    const given = flags[name];
    if (given === undefined) return undefined;
    if (typeof given !== "string" || given === "") {
      throw new UsageError(`--${name} needs one value; see --help.`);
    }
    return given;
  };
  const url = value("url");
  if (url === undefined || !/^https?:\/\//.test(url)) {
    throw new UsageError("--url needs the daemon's address; see --help.");
  }
  const wanted = value("profile");
  const profile = PROFILE_NAMES.find((name) => name === wanted);
  if (wanted !== undefined && profile === undefined) {
    throw new UsageError(`--profile ${wanted} is not a profile; use ${PROFILE_NAMES.join(", ")}.`);
  }
  const file = value("api-key-file");
  return {
    url: url.replace(/\/+$/, ""),
    credential: file === undefined ? undefined : Deno.readTextFileSync(file).trim(),
    profile,
    write: flags.write === true,
  };
}

/** The differences as a table, and how many rows were compared. */
export function render({ profile, version, results, left }: Report): string {
  const differing = results.filter(({ outcome }) => outcome === "differs");
  const skipped = results.filter(({ outcome }) => outcome === "skipped");
  const reasons = new Map<string, number>();
  for (const { detail } of skipped) reasons.set(detail, (reasons.get(detail) ?? 0) + 1);
  return [
    `Signet ${version}, compared with profile ${profile}`,
    "",
    ...differing.flatMap(({ fact, expected, detail }) => [
      fact,
      `  expected  ${expected}`,
      `  answered  ${detail}`,
      "",
    ]),
    `${results.length - skipped.length} rows compared, ${differing.length} differences`,
    ...[...reasons].map(([reason, count]) => `${count} rows skipped: ${reason}`),
    ...left.map((what) => `Not removed: ${what}`),
  ].join("\n");
}

async function main(args: readonly string[]): Promise<number> {
  try {
    const options = readOptions(args);
    if (options === "help") {
      console.log(USAGE);
      return 0;
    }
    const report = await checkDaemon(options);
    console.log(render(report));
    return report.results.some(({ outcome }) => outcome === "differs") || report.left.length > 0 ? 1 : 0;
  } catch (error) {
    console.error(`conformance: ${error instanceof Error ? error.message : error}`);
    return error instanceof UsageError ? 2 : 1;
  }
}

if (import.meta.main) Deno.exit(await main(Deno.args));
