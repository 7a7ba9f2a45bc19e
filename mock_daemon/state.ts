import type { Context } from "hono";
import type { Fault, Faults } from "./faults.ts";
import type { JsonObject } from "./json.ts";
import type { MockDaemonOptions } from "./options.ts";
import type { Recorder } from "./recorder.ts";
import type { Sessions } from "./sessions.ts";
import type { Agents } from "./store/agents.ts";
import type { Store } from "./store/db.ts";
import type { ApiKey, Keys } from "./store/keys.ts";
import type { Memories } from "./store/memories.ts";
import type { Messages } from "./store/messages.ts";
import type { Tombstones } from "./store/tombstones.ts";
import type { Reader } from "./store/memory.ts";

/** Everything the daemon knows. Routes get it, and nothing is global. */
export interface State {
  readonly options: MockDaemonOptions;
  readonly store: Store;
  readonly memories: Memories;
  readonly agents: Agents;
  readonly keys: Keys;
  readonly sessions: Sessions;
  readonly messages: Messages;
  readonly tombstones: Tombstones;
  readonly recorder: Recorder;
  readonly faults: Faults;
  readonly clock: () => number;
  readonly startedAt: number;
  /** When each harness was last heard; B stamps it internally. */
  readonly heard: Map<string, string>;
  /** Ends hanging requests and open streams when the daemon stops. */
  readonly closing: AbortController;
  /** Where it listens, once it does. */
  address: { host: string; port: number };
}

/** Who asks. */
export interface Principal {
  readonly key?: ApiKey;
  /** No credential, and none needed: local mode, or a loopback peer in hybrid mode. */
  readonly trusted: boolean;
  /** Why the credential that was shown does not count. */
  readonly error?: string;
}

/** One request, as the middleware prepares it for the routes. */
export interface Call {
  /** The body's text; "" if there was none. */
  text: string;
  /** The body if it is a JSON object. */
  body: JsonObject | undefined;
  /** The body is there and is not JSON. */
  malformed: boolean;
  principal: Principal;
  agentId: string;
  warnings: string[];
  outcome?: string;
  fault?: Fault;
  /** The answer is a stream that must not be read for the record. */
  streamed?: boolean;
}

export interface MockEnv {
  /** Where the request came from: told by `serve()`, or by `Deno.serve` itself. */
  Bindings: { readonly peer?: string; readonly remoteAddr?: Deno.Addr } | undefined;
  Variables: { readonly call: Call };
}

export type MockContext = Context<MockEnv>;

/** The peer's address; undefined for a call without a socket. */
export function peerOf(c: MockContext): string | undefined {
  const address = c.env?.remoteAddr;
  return c.env?.peer ?? (address !== undefined && "hostname" in address ? address.hostname : undefined);
}

/** What this caller may read. */
export function readerOf(call: Call): Reader {
  return { agentId: call.agentId, projects: allowedProjects(call.principal) };
}

/** The projects that a key is kept to; undefined if it is not. */
export function allowedProjects(principal: Principal): readonly string[] | undefined {
  const { key } = principal;
  if (key === undefined || key.role === "admin") return undefined;
  const listed = [...(key.allowedProjects ?? []), ...(key.scope?.project ? [key.scope.project] : [])];
  return listed.length === 0 ? undefined : listed.map((project) => project.replace(/\/+$/, ""));
}

/** The agent that a key is bound to. B needs `scope.agent`; here `agentId` alone binds too. */
export function boundAgent(principal: Principal): string | undefined {
  const { key } = principal;
  return key === undefined || key.role === "admin" ? undefined : key.scope?.agent ?? key.agentId;
}
