import type { EventName } from "../event.ts";
import { truncate, TRUNCATED } from "../context_text/truncate.ts";
import { overwrite, readStateObject } from "./state_file.ts";

/** The text that a hook last gave to the model, for `log --last`. */
export interface LastInject {
  readonly at: string;
  readonly event: EventName;
  readonly session?: string;
  readonly text: string;
}

/** More than any harness accepts, so nothing is cut that a model received. */
const MAX_CHARS = 200_000;

const path = (dir: string) => `${dir}/last_inject.json`;

/** Replaces the note. Called after the text was printed; the hook works without it. */
export function noteLastInject(dir: string, inject: LastInject): void {
  try {
    overwrite(path(dir), JSON.stringify({ ...inject, text: truncate(inject.text, MAX_CHARS, TRUNCATED) }));
  } catch {
    // The disk is read-only or full.
  }
}

/** The last text, if a hook gave one. */
export function readLastInject(dir: string): Omit<LastInject, "event"> & { event: string } | undefined {
  const { at, event, session, text } = readStateObject(path(dir)) ?? {};
  if (typeof at !== "string" || typeof event !== "string" || typeof text !== "string") return undefined;
  return { at, event, session: typeof session === "string" ? session : undefined, text };
}
