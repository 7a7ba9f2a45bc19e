import { z } from "zod";

/** What `POST /__mock/script` takes: whom it meets, how often, and one thing that goes wrong. */
export const SCRIPT = z.strictObject({
  /** A path (`/api/hooks/session-end`) or a hook's name (`session-end`); any if absent. */
  route: z.string().min(1).optional(),
  agent: z.string().min(1).optional(),
  harness: z.string().min(1).optional(),
  /** For the next so many matching requests. */
  times: z.int().min(1).max(1_000_000).default(1),
  /** Answer with this status, before the request has any effect. */
  status: z.int().min(200).max(599).optional(),
  /** The text (or JSON) to answer with, before the request has any effect; with `status` or 200. */
  body: z.union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())]).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  /** Answer with a redirect to this URL (307 unless `status` says otherwise). */
  redirect: z.string().min(1).optional(),
  /** Wait so many ms, then go on; goes with every other fault. */
  delay: z.number().min(0).max(600_000).optional(),
  /** The true answer, in pieces of `bytes` with `every` ms between them. */
  drip: z.strictObject({ bytes: z.int().min(1).default(1), every: z.number().min(0).default(50) }).optional(),
  /** The true answer's effect and headers, but the body breaks off after so many bytes. */
  truncate: z.int().min(0).optional(),
  /** Close the connection without a byte of answer: `before` the request has an effect, or `after`. */
  reset: z.enum(["before", "after"]).or(z.literal(true)).optional(),
  /** Never answer: `before` the request has an effect, or `after`. */
  hang: z.enum(["before", "after"]).or(z.literal(true)).optional(),
});

export type Script = z.infer<typeof SCRIPT>;

export interface Fault extends Script {
  readonly kind: string;
}

const KINDS = ["hang", "reset", "redirect", "truncate", "drip", "status", "body", "delay"] as const;

export interface Meeting {
  readonly path: string;
  readonly agent: string;
  readonly harness: string | undefined;
}

/** The faults that were asked for, met in the order of asking. */
export class Faults {
  #scripts: { id: number; script: Script; left: number }[] = [];
  #last = 0;

  add(script: Script): { id: number; left: number } {
    const added = { id: ++this.#last, script, left: script.times };
    this.#scripts.push(added);
    return { id: added.id, left: added.left };
  }

  list(): { id: number; script: Script; left: number }[] {
    return this.#scripts.map((one) => ({ ...one }));
  }

  clear(): void {
    this.#scripts = [];
  }

  /** The fault that this request meets, which then has one request less to meet. */
  take(met: Meeting): Fault | undefined {
    const one = this.#scripts.find(({ script }) =>
      (script.route === undefined || script.route === met.path ||
        `/api/hooks/${script.route}` === met.path) &&
      (script.agent === undefined || script.agent === met.agent) &&
      (script.harness === undefined || script.harness === met.harness)
    );
    if (one === undefined) return undefined;
    one.left--;
    if (one.left === 0) this.#scripts = this.#scripts.filter((other) => other !== one);
    return { ...one.script, kind: KINDS.find((kind) => one.script[kind] !== undefined) ?? "delay" };
  }
}
