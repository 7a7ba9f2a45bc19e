import { resolveHandle } from "../../../../hooks/agents/handle.ts";
import { liveSessions, type Mesh } from "../../../base/agents/mesh.ts";
import { findSession } from "../../../base/agents/lookup.ts";
import type { Harness } from "../../../base/harness.ts";

/**
 * The harness behind a handle, as people call it; undefined if no session has this
 * handle and no harness this name. "Agent" for an agent that runs in several.
 */
export function findHarness(mesh: Mesh, handle: string, harnesses: readonly Harness[]): string | undefined {
  const live = liveSessions(mesh);
  const name = (id: string) => harnesses.find((harness) => harness.id === id)?.displayName ?? id;
  if (handle === "") return live.length === 1 && live[0] !== undefined ? name(live[0].harness) : undefined;
  const found = findSession(live, handle, { harnesses: harnesses.map(({ id }) => id) });
  switch (found.kind) {
    case "session":
      return name(found.session.harness);
    case "nobody":
      return found.harness === undefined ? undefined : name(found.harness);
    case "ambiguous": {
      const ids = new Set(resolveHandle(handle, live).map(({ harness }) => harness));
      const [only] = ids;
      return ids.size === 1 && only !== undefined ? name(only) : "Agent";
    }
    case "unknown":
      return undefined;
  }
}
