import type { Facet, Finding, Harness } from "../harness.ts";
import { compareVersions } from "./compare.ts";
import { supportAt } from "./support_at.ts";

type Versioned = Pick<Harness, "displayName" | "fidelity" | "versions">;

/** Compares the version of the program with those that this connector was run with. */
export function checkVersion(harness: Versioned, version: string | undefined): Finding[] {
  const { displayName, versions } = harness;
  const [oldest, newest] = [versions?.tried[0], versions?.tried.at(-1)];
  if (versions === undefined || oldest === undefined || newest === undefined) return [];
  if (version === undefined) {
    const consequence = versions.assumed === undefined
      ? ""
      : ": only hooks that every version knows are used";
    return [{ ok: true, message: `The version of ${displayName} could not be determined${consequence}` }];
  }
  return [compared(displayName, version, oldest, newest, versions.tried), ...limitsAt(harness, version)];
}

function compared(
  name: string,
  version: string,
  oldest: string,
  newest: string,
  tried: readonly string[],
): Finding {
  const is = `${name} is version ${version}`;
  if (compareVersions(version, oldest) < 0) {
    const message = `${is}, older than every version that was tested (${oldest} to ${newest})`;
    return { ok: false, message, fix: `upgrade ${name}` };
  }
  if (compareVersions(version, newest) > 0) {
    return { ok: true, message: `${is}, newer than ${newest}, the newest version that was tested` };
  }
  if (tried.some((each) => compareVersions(each, version) === 0)) {
    return { ok: true, message: `${is}, which was tested` };
  }
  return { ok: true, message: `${is}, between versions that were tested (${oldest} to ${newest})` };
}

/** What this version lacks, compared with the newest. */
function limitsAt(harness: Versioned, version: string): Finding[] {
  const facets = Object.entries(supportAt(harness, version)) as [Facet, Harness["fidelity"][Facet]][];
  return facets.flatMap(([facet, support]) => {
    if (support === "yes" || support === harness.fidelity[facet]) return [];
    const [how, reason] = "no" in support ? ["no", support.no] : ["partly", support.partly];
    return [{ ok: true, message: `${harness.displayName} ${version}: ${facet}, ${how}: ${reason}` }];
  });
}
