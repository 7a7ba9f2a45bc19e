import { isObject } from "../../../hooks/json.ts";
import { EXIT, UserError } from "../../base/cli/command.ts";
import {
  isUrl,
  NoRelease,
  type OpenOptions,
  openRelease,
  readVerified,
  type Release,
} from "./release_source.ts";

/** A release, and what its release.json says. */
export interface DescribedRelease {
  readonly release: Release;
  readonly version: string;
  /** The names of its connectors: `pi`. */
  readonly connectors: readonly string[];
}

/**
 * The places to look for a newer release than the one at this URL: beside a
 * versioned one is `latest/`; GitHub has another address for it.
 */
export function releasePlaces(from: string): string[] {
  const url = isUrl(from) ? URL.parse(from) : null;
  if (url === null) return [from];
  const base = from.replace(/\/+$/, "");
  const github = /^(.*\/releases)\/download\/[^/]+$/.exec(base)?.[1];
  if (github !== undefined) return [`${github}/latest/download`, base];
  const versioned = /\/v?\d[^/]*\/*$/.test(url.pathname);
  return versioned ? [`${base.slice(0, base.lastIndexOf("/"))}/latest`, base] : [base];
}

/** The newest release at the place that the programs came from. */
export async function newestRelease(from: string, options: OpenOptions): Promise<DescribedRelease> {
  const found: DescribedRelease[] = [];
  const missing: NoRelease[] = [];
  for (const place of releasePlaces(from)) {
    try {
      found.push(await describeRelease(await openRelease(place, options)));
    } catch (error) {
      if (!(error instanceof NoRelease)) throw error;
      missing.push(error);
    }
  }
  const [newest] = found.sort((a, b) => compareVersions(b.version, a.version));
  if (newest === undefined) throw missing.at(-1) ?? new UserError(`There is no release at ${from}.`);
  return newest;
}

/** Reads release.json, which SHA256SUMS must list. */
export async function describeRelease(release: Release): Promise<DescribedRelease> {
  const damaged = new UserError(`release.json of ${release.name} is missing or damaged.`, EXIT.failed);
  if (!release.sums.has("release.json")) throw damaged;
  let manifest: unknown;
  try {
    manifest = JSON.parse(new TextDecoder().decode(await readVerified(release, "release.json")));
  } catch (error) {
    throw error instanceof SyntaxError ? damaged : error;
  }
  if (!isObject(manifest) || typeof manifest.version !== "string") throw damaged;
  const binaries = Array.isArray(manifest.binaries) ? manifest.binaries.filter(isObject) : [];
  const connectors = binaries.map(({ connector }) => connector).filter((name) => typeof name === "string");
  return { release, version: manifest.version, connectors: [...new Set(connectors)] };
}

/** Compares two versions as semver does; a pre-release comes before its release. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parts(a), parts(b)];
  return compareLists(left.numbers, right.numbers) ||
    Number(left.pre.length === 0) - Number(right.pre.length === 0) ||
    compareLists(left.pre, right.pre);
}

function parts(version: string): { numbers: string[]; pre: string[] } {
  const [, numbers = "", pre = ""] = /^v?([^-+]*)(?:-([^+]*))?/.exec(version) ?? [];
  return { numbers: numbers.split("."), pre: pre === "" ? [] : pre.split(".") };
}

function compareLists(a: readonly string[], b: readonly string[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const [x, y] = [a[i], b[i]];
    if (x === y) continue;
    if (x === undefined || y === undefined) return x === undefined ? -1 : 1;
    const numeric = [x, y].map((part) => /^\d+$/.test(part));
    if (numeric[0] && numeric[1]) {
      if (Number(x) !== Number(y)) return Number(x) - Number(y);
    } else if (numeric[0] !== numeric[1]) return numeric[0] ? -1 : 1;
    else return x < y ? -1 : 1;
  }
  return 0;
}
