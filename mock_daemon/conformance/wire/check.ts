import { isObject } from "../../json.ts";
import { PROFILE_NAMES, type ProfileName } from "../../profile/profile.ts";
import { holds, parse } from "../holds.ts";
import { ALL_ROWS } from "./all_rows.ts";
import { Run, type Target } from "./run.ts";
import type { Answer, Expected, Need, WireRow } from "./wire_row.ts";

export interface Result {
  readonly fact: string;
  readonly outcome: "same" | "differs" | "skipped";
  /** What differs, or why the row was skipped. */
  readonly detail: string;
  readonly expected?: string;
}

export interface Report {
  readonly profile: ProfileName;
  readonly version: string;
  readonly results: readonly Result[];
  /** What could not be removed. */
  readonly left: readonly string[];
}

export interface CheckOptions {
  readonly url: string;
  readonly credential?: string;
  readonly profile?: ProfileName;
  readonly write?: boolean;
}

interface Daemon {
  readonly version: string;
  readonly profile: ProfileName;
  readonly features: ReadonlySet<Need>;
}

async function get(options: CheckOptions, path: string): Promise<unknown> {
  const headers = options.credential === undefined ? undefined : {
    authorization: `Bearer ${options.credential}`,
  };
  const response = await fetch(options.url + path, { headers, signal: AbortSignal.timeout(20_000) });
  const body = parse(await response.text());
  return response.ok ? body : undefined;
}

function field(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

/** The profile for a daemon: a mock says which it is; a version that is not known is compared with 0.145. */
async function profileOf(options: CheckOptions, version: string): Promise<ProfileName> {
  const named = field(await get(options, "/__mock/info"), "profile");
  return options.profile ?? PROFILE_NAMES.find((name) => name === named) ??
    (version.startsWith("0.58.") ? "0.58" : "0.145");
}

async function inspect(options: CheckOptions): Promise<Daemon> {
  const health = await get(options, "/health");
  const version = String(field(health, "version") ?? "unknown");
  if (health === undefined) throw new Error(`${options.url}/health did not answer 200; is a key needed?`);
  const mode = field(await get(options, "/api/auth/whoami"), "mode");
  const pipeline = field(await get(options, "/api/status"), "pipelineV2");
  const features = new Set<Need>([mode === "local" ? "no keys" : "keys"]);
  if (field(pipeline, "enabled") === true || field(pipeline, "shadowMode") === true) features.add("pipeline");
  return { version, profile: await profileOf(options, version), features };
}

function compare(answer: Answer, expected: Expected): string | undefined {
  const got = `${answer.status} ${JSON.stringify(answer.body)}`.slice(0, 400);
  if (answer.status !== expected.status) return got;
  try {
    for (const [name, wanted] of Object.entries(expected.headers ?? {})) {
      holds(answer.headers.get(name) ?? undefined, wanted, name);
    }
    if (expected.answer !== undefined) holds(answer.body, expected.answer, "answer");
  } catch (error) {
    const why = error instanceof Error ? error.message.split("\n")[0]?.slice(0, 200) : String(error);
    return `${got} (${why})`;
  }
  return undefined;
}

const REASONS: { readonly [N in Need]: string } = {
  keys: "the daemon needs no keys",
  "no keys": "the daemon needs keys",
  pipeline: "the daemon's pipeline is off",
};

async function checkRow(row: WireRow, run: Run, daemon: Daemon, write: boolean): Promise<Result> {
  const { fact } = row;
  if (row.needs !== undefined && !daemon.features.has(row.needs)) {
    return { fact, outcome: "skipped", detail: REASONS[row.needs] };
  }
  if (row.writes && !write) return { fact, outcome: "skipped", detail: "it writes; add --write" };
  const expected = row.expect[daemon.profile];
  try {
    const detail = compare(await row.call(run), expected);
    if (detail === undefined) return { fact, outcome: "same", detail: "" };
    return { fact, outcome: "differs", detail, expected: describe(expected) };
  } catch (error) {
    return { fact, outcome: "differs", detail: String(error), expected: describe(expected) };
  }
}

function describe({ status, seen, answer }: Expected): string {
  const show = (_: string, value: unknown) =>
    value instanceof RegExp || typeof value === "function" || typeof value === "symbol"
      ? String(value)
      : value;
  return seen ?? `${status} ${JSON.stringify(answer, show) ?? ""}`;
}

/** Runs every row against a running daemon, and removes what they wrote. */
export async function checkDaemon(options: CheckOptions): Promise<Report> {
  const daemon = await inspect(options);
  const suffix = crypto.randomUUID().slice(0, 8);
  const target: Target = {
    url: options.url,
    profile: daemon.profile,
    credential: options.credential,
    name: `conformance-${suffix}`,
  };
  const run = new Run(target);
  const results: Result[] = [];
  const left: string[] = [];
  try {
    for (const row of ALL_ROWS) results.push(await checkRow(row, run, daemon, options.write ?? false));
  } finally {
    if (options.write) left.push(...await run.cleanUp());
  }
  return { profile: daemon.profile, version: daemon.version, results, left };
}
