/**
 * Signet portable connectors, as a library.
 *
 * @module
 */
export type { EventName, HookEvent } from "./hooks/event.ts";
export type { HookProfile } from "./hooks/profile.ts";
export type { Facet, Harness, Site, Support, Target } from "./connectors/base/harness.ts";
