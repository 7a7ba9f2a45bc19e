import type { Facet, Harness, Support } from "../harness.ts";
import { compareVersions } from "./compare.ts";

/** What a version of the program supports: the limits of the harness, and those of older versions. */
export function supportAt(
  { fidelity, versions }: Pick<Harness, "fidelity" | "versions">,
  version: string,
): { readonly [F in Facet]: Support } {
  const older = (versions?.older ?? []).filter(({ below }) => compareVersions(version, below) < 0);
  // The limit of the oldest range counts: it is the most specific.
  const ranges = older.toSorted((a, b) => compareVersions(b.below, a.below));
  return ranges.reduce((support, { limits }) => ({ ...support, ...limits }), fidelity);
}
