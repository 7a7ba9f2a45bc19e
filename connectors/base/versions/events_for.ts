import type { Harness, HarnessAgents, HarnessEvent, InstallFlags } from "../harness.ts";
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
  return known(harness.events, version === "any" ? version : writtenFor(harness, version));
}

/** The events of the agent mesh to install; none where it was not asked for, but every one to remove them. */
export function agentEventsFor(
  harness: Pick<Harness, "agents" | "versions">,
  version: string | "any" | undefined,
  { agents }: InstallFlags,
): HarnessAgents["events"] {
  const events = harness.agents?.events ?? {};
  if (version === "any") return events;
  return agents ? known(events, writtenFor(harness, version)) : {};
}

function known<E extends string>(
  events: { readonly [N in E]?: HarnessEvent },
  written: string | "any" | undefined,
): { [N in E]?: HarnessEvent } {
  const result: { [N in E]?: HarnessEvent } = {};
  for (const name in events) {
    const event = events[name];
    if (event === undefined) continue;
    const { since, before } = event;
    const isKnown = written === undefined || written === "any" ||
      ((since === undefined || compareVersions(written, since) >= 0) &&
        (before === undefined || compareVersions(written, before) < 0));
    if (isKnown) result[name] = event;
  }
  return result;
}
