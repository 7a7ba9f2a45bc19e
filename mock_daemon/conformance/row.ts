import { assert, assertEquals } from "@std/assert";
import { createMockDaemon, type MockDaemonOptions } from "../mod.ts";
import { isObject } from "../json.ts";

export interface Ask {
  readonly path: string;
  /** POST if there is a body, else GET. */
  readonly method?: string;
  readonly body?: unknown;
  /** A body as it stands, JSON or not. */
  readonly raw?: string;
  readonly headers?: Record<string, string>;
  /** The name of one of KEYS. */
  readonly key?: keyof typeof KEYS;
  /** The peer's address; this machine's if absent. */
  readonly peer?: string;
}

/** A wait moves the daemon's clock; a text writes down why the step is there. */
export type Step = Ask | { readonly wait: number };
type Answers = readonly unknown[];

/** One fact of the contract: what came before, what is asked, what is answered. */
export interface Row {
  readonly fact: string;
  readonly options?: MockDaemonOptions;
  readonly given?: readonly (Step | ((answers: Answers) => Step))[];
  readonly ask: Ask | ((answers: Answers) => Ask);
  readonly status: number;
  /** What the answer holds at least; a RegExp or a function tests a value, `ABSENT` its absence. */
  readonly answer?: unknown;
  readonly headers?: Record<string, string | RegExp>;
}

export const ABSENT = Symbol("absent");

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
    const send = async (ask: Ask): Promise<Response> => {
      const body = ask.raw ?? (ask.body === undefined ? undefined : JSON.stringify(ask.body));
      const headers = new Headers(ask.headers);
      if (ask.key !== undefined) headers.set("authorization", `Bearer ${KEYS[ask.key]}`);
      const method = ask.method ?? (body === undefined ? "GET" : "POST");
      return await daemon.app.request(ask.path, { method, headers, body }, { peer: ask.peer });
    };
    const answers: unknown[] = [];
    for (const given of row.given ?? []) {
      const step = typeof given === "function" ? given(answers) : given;
      if ("wait" in step) now += step.wait;
      else answers.push(parse(await (await send(step)).text()));
    }
    const response = await send(typeof row.ask === "function" ? row.ask(answers) : row.ask);
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function holds(actual: unknown, wanted: unknown, where: string): void {
  const found = () => `${where}: ${JSON.stringify(actual)}`;
  if (wanted === ABSENT) return assertEquals(actual, undefined, found());
  if (wanted instanceof RegExp) return assert(typeof actual === "string" && wanted.test(actual), found());
  if (typeof wanted === "function") return assert(wanted(actual), found());
  if (Array.isArray(wanted)) {
    assert(Array.isArray(actual), found());
    assertEquals(actual.length, wanted.length, found());
    return wanted.forEach((item, index) => holds(actual[index], item, `${where}[${index}]`));
  }
  if (!isObject(wanted)) return assertEquals(actual, wanted, found());
  assert(isObject(actual), found());
  for (const [name, value] of Object.entries(wanted)) holds(actual[name], value, `${where}.${name}`);
}

/** A memory's id out of an earlier answer. */
export function idOf(answer: unknown): string {
  return isObject(answer) && typeof answer.id === "string" ? answer.id : "";
}

/** A body of a hook with the things a connector always sends. */
export function hook(more: Record<string, unknown> = {}): Record<string, unknown> {
  return { harness: "pyagent", sessionKey: "s1", runtimePath: "legacy", ...more };
}

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
