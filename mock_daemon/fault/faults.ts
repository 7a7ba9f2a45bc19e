import { z } from "zod";

/** The body of `POST /__mock/script`: which requests it applies to, how often, and the fault. */
export const SCRIPT = z.strictObject({
  /** A path (`/api/hooks/session-end`) or a hook name (`session-end`); any route if absent. */
  route: z.string().min(1).optional(),
  agent: z.string().min(1).optional(),
  harness: z.string().min(1).optional(),
  /** How many matching requests the fault applies to. */
  times: z.int().min(1).max(1_000_000).default(1),
  /** Answer with this status; the request has no effect. */
  status: z.int().min(200).max(599).optional(),
  /** Answer with this text or JSON, with `status` or 200; the request has no effect. */
  body: z.union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())]).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  /** Redirect to this URL, with `status` or 307. */
  redirect: z.string().min(1).optional(),
  /** Wait this many milliseconds first; can be combined with every other fault. */
  delay: z.number().min(0).max(600_000).optional(),
  /** Send the real response in chunks of `bytes`, `every` ms apart. */
  drip: z.strictObject({ bytes: z.int().min(1).default(1), every: z.number().min(0).default(50) }).optional(),
  /** Send the real response, but cut the body off after this many bytes. */
  truncate: z.int().min(0).optional(),
  /** Close the connection without a response, `before` or `after` the request takes effect. */
  reset: z.enum(["before", "after"]).or(z.literal(true)).optional(),
  /** Never respond, `before` or `after` the request takes effect. */
  hang: z.enum(["before", "after"]).or(z.literal(true)).optional(),
});

export type Script = z.infer<typeof SCRIPT>;

export interface Fault extends Script {
  readonly kind: string;
}

const KINDS = ["hang", "reset", "redirect", "truncate", "drip", "status", "body", "delay"] as const;

/** The parts of a request that a script can match. */
export interface FaultTarget {
  readonly path: string;
  readonly agent: string;
  readonly harness: string | undefined;
}

/** The scripted faults, applied in the order they were added. */
export class Faults {
  #scripts: { id: number; script: Script; left: number }[] = [];
  #last = 0;

  add(script: Script): { id: number; left: number } {
    const added = { id: ++this.#last, script, left: script.times };
    this.#scripts.push(added);
    return { id: added.id, left: added.left };
  }

  list(): { id: number; script: Script; left: number }[] {
    return this.#scripts.map((entry) => ({ ...entry }));
  }

  clear(): void {
    this.#scripts = [];
  }

  /** Returns the fault for this request, and uses it up once. */
  take(target: FaultTarget): Fault | undefined {
    const entry = this.#scripts.find(({ script }) =>
      (script.route === undefined || script.route === target.path ||
        `/api/hooks/${script.route}` === target.path) &&
      (script.agent === undefined || script.agent === target.agent) &&
      (script.harness === undefined || script.harness === target.harness)
    );
    if (entry === undefined) return undefined;
    entry.left--;
    if (entry.left === 0) this.#scripts = this.#scripts.filter((other) => other !== entry);
    return { ...entry.script, kind: KINDS.find((kind) => entry.script[kind] !== undefined) ?? "delay" };
  }
}
