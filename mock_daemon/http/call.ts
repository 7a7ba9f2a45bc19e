import type { Context } from "hono";
import { allowedProjects, type Principal } from "../access/principal.ts";
import type { Fault } from "../fault/faults.ts";
import type { JsonObject } from "../json.ts";
import type { Reader } from "../store/memory.ts";

/** One request, as the middleware prepares it for the routes. */
export interface Call {
  /** The body's text; "" if there was none. */
  text: string;
  /** The body if it is a JSON object. */
  body: JsonObject | undefined;
  /** There is a body, and it is not JSON. */
  malformed: boolean;
  principal: Principal;
  /** The agent whose data the request uses. */
  agentId: string;
  /** The agent that the request names; 0.58 shows it in presence and ignores it elsewhere. */
  namedAgent: string;
  warnings: string[];
  outcome?: string;
  fault?: Fault;
  /** The response is a stream, which must not be read for the record. */
  streamed?: boolean;
}

export interface MockEnv {
  /** Where the request came from, set by `serve()` or by `Deno.serve`. */
  Bindings: { readonly peer?: string; readonly remoteAddr?: Deno.Addr } | undefined;
  Variables: { readonly call: Call };
}

export type MockContext = Context<MockEnv>;

/** The peer's address; undefined for a call without a socket. */
export function peerOf(c: MockContext): string | undefined {
  const address = c.env?.remoteAddr;
  return c.env?.peer ?? (address !== undefined && "hostname" in address ? address.hostname : undefined);
}

/** What the caller may read. */
export function readerOf(call: Call): Reader {
  return { agentId: call.agentId, projects: allowedProjects(call.principal) };
}
