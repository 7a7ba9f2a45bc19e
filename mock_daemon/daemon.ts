import { Hono } from "hono";
import { Faults } from "./fault/faults.ts";
import { authenticate } from "./access/authenticate.ts";
import { dedupe } from "./http/dedupe.ts";
import { misbehave } from "./fault/misbehave.ts";
import { record } from "./record/record.ts";
import { missing } from "./access/missing.ts";
import { scope } from "./access/scope.ts";
import { validate } from "./contract/validate.ts";
import type { MockDaemonOptions } from "./options.ts";
import { PROFILES } from "./profile/profiles.ts";
import { type Recorded, Recorder, type RequestFilter } from "./record/recorder.ts";
import { routes } from "./routes/all.ts";
import { Recovery } from "./session/recovery.ts";
import { Presence } from "./session/presence.ts";
import { Sessions } from "./session/sessions.ts";
import type { MockEnv } from "./http/call.ts";
import type { State } from "./state.ts";
import { Agents } from "./store/agents.ts";
import { Attributes } from "./store/attributes.ts";
import { openStore } from "./store/store.ts";
import { type ApiKey, Keys, type KeySpec, type Role } from "./store/keys.ts";
import { Memories } from "./store/memories.ts";
import { Messages } from "./store/messages.ts";
import { Tokens } from "./store/tokens.ts";
import { Tombstones } from "./store/tombstones.ts";
import { Kept } from "./transcript/kept.ts";

export interface MockDaemon {
  /** The Hono app: `app.request(path, init)` works without a socket. */
  readonly app: Hono<MockEnv>;
  readonly state: State;
  /** Creates an API key. This is the only time the key itself is returned. */
  createKey(spec: KeySpec): ApiKey & { readonly key: string };
  /** Signs a token: the only credential that 0.58 knows, and what a login gives on the others. */
  createToken(claims: { role: Role; scope?: KeySpec["scope"]; ttlSeconds?: number }): string;
  /** The recorded requests. */
  requests(filter?: RequestFilter): Recorded[];
  /** Resolves with the first matching request, past or future; rejects when the signal aborts. */
  nextRequest(filter: RequestFilter, options?: { after?: number; signal?: AbortSignal }): Promise<Recorded>;
  /** Answers 503 from now on, and ends hanging requests and streams. */
  stop(): void;
  /** Closes the database and the record file. */
  close(): void;
}

function openState(options: MockDaemonOptions): State {
  const clock = options.clock ?? Date.now;
  const profile = PROFILES[options.profile ?? "design"];
  const store = openStore(options.db);
  const agents = new Agents(store, clock);
  const tombstones = new Tombstones(store, clock);
  const state: State = {
    options,
    profile,
    store,
    agents,
    tombstones,
    clock,
    memories: new Memories(store, agents, clock, profile.memory.oncePerProject),
    keys: new Keys(store, clock),
    tokens: new Tokens(store, clock),
    sessions: new Sessions(tombstones, clock, profile.sessions),
    attributes: new Attributes(store),
    recovery: new Recovery(),
    presence: new Presence(clock),
    messages: new Messages(clock),
    kept: new Kept(),
    recorder: new Recorder(options),
    faults: new Faults(),
    startedAt: clock(),
    lastSeen: new Map(),
    closing: new AbortController(),
    address: { host: "127.0.0.1", port: 0 },
  };
  if (options.adminKey !== undefined) {
    state.keys.create({ name: "first admin", role: "admin" }, options.adminKey);
  }
  for (const { key, ...spec } of options.keys ?? []) state.keys.create(spec, key);
  for (const [name, content] of Object.entries(options.entities ?? {})) {
    const { memory } = state.memories.add({
      content,
      agentId: "default",
      entities: [name],
      sourceType: "seed",
    });
    state.attributes.add("default", {
      label: name,
      type: "project",
      path: "seed",
      content,
      memoryId: memory.id,
    });
  }
  return state;
}

/** Creates a mock Signet daemon for tests, demos and connector development. */
export function createMockDaemon(options: MockDaemonOptions = {}): MockDaemon {
  const state = openState(options);
  const app = new Hono<MockEnv>();
  app.use(record(state));
  app.use(async (c, next) => {
    await next();
    if (options.clock) c.header("Date", new Date(options.clock()).toUTCString());
  });
  app.use(async (c, next) => {
    if (!state.closing.signal.aborted || c.req.path === "/health") return await next();
    return c.json({ error: "shutting down" }, 503);
  });
  if (options.scriptable) app.use(misbehave(state));
  const checks = [authenticate(state), missing(state), scope(state), validate(state)];
  if (options.dedupeHeader) checks.push(dedupe(state));
  routes(app, state, checks);
  app.notFound((c) => c.text("404 Not Found", 404));
  return {
    app,
    state,
    createKey: (spec) => {
      if (!state.profile.access.apiKeys) throw new Error("0.58 has no API keys; use createToken().");
      return state.keys.create(spec);
    },
    createToken: ({ role, scope = {}, ttlSeconds = 3600 }) =>
      state.tokens.sign({ sub: `token:${role}`, role, scope }, ttlSeconds).token,
    requests: (filter) => state.recorder.list(filter, 0, Infinity),
    nextRequest: (filter, { after = 0, signal } = {}) => nextRequest(state, filter, after, signal),
    stop: () => state.closing.abort(),
    close() {
      state.closing.abort();
      state.recorder.close();
      state.store.close();
    },
  };
}

function nextRequest(
  state: State,
  filter: RequestFilter,
  after: number,
  signal: AbortSignal | undefined,
): Promise<Recorded> {
  return new Promise((resolve, reject) => {
    const past = state.recorder.list(filter, after, 1)[0];
    if (past !== undefined) return resolve(past);
    const onAbort = () => {
      stop();
      reject(new Error(`No request matched ${JSON.stringify(filter)} before the wait ended.`));
    };
    const stop = state.recorder.listen(() => {
      const match = state.recorder.list(filter, after, 1)[0];
      if (match === undefined) return;
      stop();
      signal?.removeEventListener("abort", onAbort);
      resolve(match);
    });
    signal?.addEventListener("abort", onAbort);
  });
}
