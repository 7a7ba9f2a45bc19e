import type { ProfileName } from "../../profile/profile.ts";
import type { Run } from "./run.ts";

export interface Answer {
  readonly status: number;
  /** The parsed body, or its text if it is not JSON. */
  readonly body: unknown;
  readonly headers: Headers;
}

/** What a daemon must answer, and what the real version answered. */
export interface Expected {
  readonly status: number;
  /** As in the other rows: fields that must be there, a RegExp, a function, or `ABSENT`. */
  readonly answer?: unknown;
  readonly headers?: Readonly<Record<string, string | RegExp>>;
  /** What the real version answered when it was run. */
  readonly seen?: string;
}

/** What a row needs of the daemon; without it the row is skipped. */
export type Need = "keys" | "no keys" | "pipeline";

/** One fact that can be checked on any running daemon. */
export interface WireRow {
  readonly fact: string;
  /** The row leaves data behind, which is removed afterwards. */
  readonly writes?: true;
  readonly needs?: Need;
  readonly call: (run: Run) => Promise<Answer>;
  readonly expect: Readonly<Record<ProfileName, Expected>>;
}

/** Every daemon answers the same. */
export function same(status: number, answer: unknown, seen: string): WireRow["expect"] {
  const expected = { status, answer };
  return { design: expected, "0.145": { ...expected, seen }, "0.58": { ...expected, seen } };
}

/** 0.58 differs from the others. */
export function older(now: Expected, old: Expected): WireRow["expect"] {
  return { design: now, "0.145": now, "0.58": old };
}

/** The contract asks for one thing, and both real versions do another. */
export function real(design: Expected, both: Expected): WireRow["expect"] {
  return { design, "0.145": both, "0.58": both };
}

/** What a missing route answers. */
export const NO_ROUTE: Expected = {
  status: 404,
  answer: "404 Not Found",
  seen: "404 text/plain `404 Not Found`: the route does not exist",
};
