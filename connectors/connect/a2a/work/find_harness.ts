import { resolveHandle } from "../../../../hooks/agents/sessions/handle.ts";
import { liveSessions, type Mesh } from "../../../base/agents/mesh.ts";
import { findSession } from "../../../base/agents/peers/lookup.ts";
import type { Harness } from "../../../base/harness.ts";

/**
 * The harness behind a handle, as people call it; undefined if no session has this
 * handle and no harness this name. "Agent" for an agent that runs in several.
 */
export function findHarness(mesh: Mesh, handle: string, harnesses: readonly Harness[]): string | undefined {
  const live = liveSessions(mesh);
  const name = (id: string) => harnesses.find((harness) => harness.id === id)?.displayName ?? id;
  if (handle === "") return live.length === 1 && live[0] !== undefined ? name(live[0].harness) : undefined;
  const lookup = findSession(live, handle, { harnesses: harnesses.map(({ id }) => id) });
  switch (lookup.kind) {
    case "session":
      return name(lookup.session.harness);
    case "nobody":
      return lookup.harness === undefined ? undefined : name(lookup.harness);
    case "ambiguous": {
      const ids = new Set(resolveHandle(handle, live).map(({ harness }) => harness));
      const [only] = ids;
      return ids.size === 1 && only !== undefined ? name(only) : "Agent";
    }
    case "unknown":
      return undefined;
  }
}
