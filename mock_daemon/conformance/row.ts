import { assertEquals } from "@std/assert";
import { holds, parse } from "./holds.ts";
import { createMockDaemon, type MockDaemonOptions } from "../mod.ts";
import { isObject } from "../json.ts";

/** A request to send. */
export interface RequestSpec {
  readonly path: string;
  /** POST if there is a body, else GET. */
  readonly method?: string;
  readonly body?: unknown;
  /** The raw body, JSON or not. */
  readonly raw?: string;
  readonly headers?: Record<string, string>;
  /** The name of one of KEYS. */
  readonly key?: keyof typeof KEYS;
  /** The peer's address; loopback if absent. */
  readonly peer?: string;
}

/** A request, or a wait that moves the daemon's clock. */
export type Step = RequestSpec | { readonly wait: number };
type Answers = readonly unknown[];

/** One fact of the contract: the steps before, the request, and the expected response. */
export interface Row {
  readonly fact: string;
  readonly options?: MockDaemonOptions;
  readonly given?: readonly (Step | ((answers: Answers) => Step))[];
  readonly request: RequestSpec | ((answers: Answers) => RequestSpec);
  readonly status: number;
  /** The fields the response must have; a RegExp or a function tests a value, `ABSENT` its absence. */
  readonly answer?: unknown;
  readonly headers?: Record<string, string | RegExp>;
}

export { ABSENT } from "./holds.ts";

const secret = "S".repeat(43);
/** Keys that every row's daemon knows. */
export const KEYS = {
  admin: `sig_sk_aaaaaaaaaaaa_${secret}`,
  bob: `sig_sk_bbbbbbbbbbbb_${secret}`,
  bobByIdAlone: `sig_sk_b1b1b1b1b1b1_${secret}`,
  operator: `sig_sk_cccccccccccc_${secret}`,
  reader: `sig_sk_dddddddddddd_${secret}`,
  projects: `sig_sk_eeeeeeeeeeee_${secret}`,
  expired: `sig_sk_ffffffffffff_${secret}`,
  wrong: `sig_sk_aaaaaaaaaaaa_${"T".repeat(43)}`,
  unknown: `sig_sk_123456789abc_${secret}`,
} as const;

export const START = Date.parse("2026-03-01T12:00:00Z");

const SEEDED: MockDaemonOptions["keys"] = [
  { key: KEYS.admin, name: "admin", role: "admin" },
  { key: KEYS.bob, name: "bob", role: "agent", agentId: "bob", scope: { agent: "bob" } },
  { key: KEYS.bobByIdAlone, name: "bob too", role: "agent", agentId: "bob" },
  { key: KEYS.operator, name: "operator", role: "operator" },
  { key: KEYS.reader, name: "reader", role: "readonly" },
  { key: KEYS.projects, name: "projects", role: "agent", allowedProjects: ["/home/u/one", "/home/u/two/"] },
  { key: KEYS.expired, name: "expired", role: "admin", expiresAt: new Date(START - 1000).toISOString() },
];

export async function check(row: Row): Promise<void> {
  let now = START;
  const daemon = createMockDaemon({ keys: SEEDED, ...row.options, clock: () => now });
  try {
    const send = async (spec: RequestSpec): Promise<Response> => {
      const body = spec.raw ?? (spec.body === undefined ? undefined : JSON.stringify(spec.body));
      const headers = new Headers(spec.headers);
      if (spec.key !== undefined) headers.set("authorization", `Bearer ${KEYS[spec.key]}`);
      const method = spec.method ?? (body === undefined ? "GET" : "POST");
      return await daemon.app.request(spec.path, { method, headers, body }, { peer: spec.peer });
    };
    const answers: unknown[] = [];
    for (const given of row.given ?? []) {
      const step = typeof given === "function" ? given(answers) : given;
      if ("wait" in step) now += step.wait;
      else answers.push(parse(await (await send(step)).text()));
    }
    const response = await send(typeof row.request === "function" ? row.request(answers) : row.request);
    const text = await response.text();
    assertEquals(response.status, row.status, text);
    for (const [name, wanted] of Object.entries(row.headers ?? {})) {
      holds(response.headers.get(name), wanted, name);
    }
    if (row.answer !== undefined) holds(parse(text), row.answer, "answer");
  } finally {
    daemon.close();
  }
}

/** The memory id in an earlier response. */
export function idOf(answer: unknown): string {
  return isObject(answer) && typeof answer.id === "string" ? answer.id : "";
}

/** A hook body with the fields that every connector sends. */
export function hook(more: Record<string, unknown> = {}): Record<string, unknown> {
  return { harness: "pyagent", sessionKey: "s1", runtimePath: "legacy", ...more };
}

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
