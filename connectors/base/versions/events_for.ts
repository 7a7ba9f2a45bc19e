import type { Harness } from "../harness.ts";
import { compareVersions } from "./compare.ts";

/** The version that entries are written for: the one that was found, or the one to assume. */
export function writtenFor(
  { versions }: Pick<Harness, "versions">,
  version: string | undefined,
): string | undefined {
  return version ?? versions?.assumed ?? versions?.tried.at(-1);
}

/** The events to install for a version of the program; `any` returns every event, to remove them. */
export function eventsFor(
  harness: Pick<Harness, "events" | "versions">,
  version: string | "any" | undefined,
): Harness["events"] {
  const written = writtenFor(harness, version);
  if (version === "any" || written === undefined) return harness.events;
  return Object.fromEntries(
    Object.entries(harness.events).filter(([, { since, before }]) =>
      (since === undefined || compareVersions(written, since) >= 0) &&
      (before === undefined || compareVersions(written, before) < 0)
    ),
  );
}
