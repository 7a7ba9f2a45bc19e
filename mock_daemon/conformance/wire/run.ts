import { isObject } from "../../json.ts";
import type { ProfileName } from "../../profile/profile.ts";
import { parse } from "../holds.ts";
import type { Answer } from "./wire_row.ts";

export interface Target {
  readonly url: string;
  readonly profile: ProfileName;
  /** An admin's API key or token; undefined for a daemon without keys. */
  readonly credential: string | undefined;
  /** The name of the throw-away agent; all data of the run has it. */
  readonly name: string;
}

export interface WireRequest {
  readonly path: string;
  /** POST if there is a body, else GET. */
  readonly method?: string;
  readonly body?: unknown;
  readonly raw?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the credential: a header value, or null for none. */
  readonly auth?: string | null;
}

/** No daemon needs longer for one of these requests. */
const TIMEOUT_MS = 20_000;
const FORGET_AT_ONCE = 20;

/** The text of an error response must not end the run: it is a difference to report. */
export class Run {
  readonly target: Target;
  /** Whose data the rows write. */
  readonly agent: string;
  /** Somebody else. */
  readonly other: string;
  readonly project: string;
  /** A word that occurs nowhere else. */
  readonly word: string;
  readonly #sessions = new Map<string, string>();
  readonly #agents = new Set<string>();
  readonly #files: string[] = [];
  #bound: Promise<{ id: string; key: string }> | undefined;

  constructor(target: Target) {
    this.target = target;
    this.agent = target.name;
    this.other = `${target.name}-other`;
    // The real daemon treats projects under /tmp as noise.
    this.project = `/home/u/${target.name}`;
    this.word = target.name.replace(/[^a-z0-9]/g, "");
  }

  async send(request: WireRequest): Promise<Answer> {
    const body = request.raw ?? (request.body === undefined ? undefined : JSON.stringify(request.body));
    const headers = new Headers({ "content-type": "application/json", ...request.headers });
    const auth = request.auth === undefined ? bearer(this.target.credential) : request.auth;
    if (auth !== undefined && auth !== null) headers.set("authorization", auth);
    const response = await fetch(this.target.url + request.path, {
      method: request.method ?? (body === undefined ? "GET" : "POST"),
      headers,
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: response.status, body: parse(await response.text()), headers: response.headers };
  }

  /** A hook of a session, with the fields that every connector sends. */
  hook(name: string, session: string | undefined, more: Record<string, unknown> = {}): Promise<Answer> {
    const agentId = typeof more.agentId === "string" ? more.agentId : this.agent;
    const sessionKey = session === undefined ? undefined : this.session(session, agentId);
    this.#agents.add(agentId);
    const where = name === "session-end" ? { cwd: this.project } : { project: this.project };
    const { auth, ...fields } = more;
    const body = { harness: "pyagent", sessionKey, runtimePath: "plugin", ...where, ...fields, agentId };
    return this.send({
      path: `/api/hooks/${name}`,
      body,
      ...(typeof auth === "string" ? { auth } : {}),
    });
  }

  /** The key of a session of this run; it is ended afterwards. */
  session(name: string, agentId = this.agent): string {
    const key = `${this.target.name}-${name}`;
    if (!this.#sessions.has(key)) this.#sessions.set(key, agentId);
    return key;
  }

  remember(content: string, more: Record<string, unknown> = {}): Promise<Answer> {
    const { auth, ...fields } = more;
    const agentId = typeof fields.agentId === "string" ? fields.agentId : this.agent;
    this.#agents.add(agentId);
    return this.send({
      path: "/api/memory/remember",
      body: { content, ...fields, agentId },
      ...(typeof auth === "string" ? { auth } : {}),
    });
  }

  /** Writes a file that a daemon on this machine can read. */
  async file(content: string): Promise<string> {
    const path = await Deno.makeTempFile({ prefix: "signet-conformance-" });
    this.#files.push(path);
    await Deno.writeTextFile(path, content);
    return path;
  }

  /** Registers an agent for removal. */
  created(agentId: string): void {
    this.#agents.add(agentId);
  }

  /** The Authorization header of a connector key that is bound to the agent of this run. */
  async bound(): Promise<string> {
    this.#bound ??= this.#createKey();
    return `Bearer ${(await this.#bound).key}`;
  }

  async #createKey(): Promise<{ id: string; key: string }> {
    const scope = { agent: this.agent };
    const made = this.target.profile === "0.58"
      ? await this.send({ path: "/api/auth/token", body: { role: "agent", scope, ttlSeconds: 600 } })
      : await this.send({
        path: "/api/auth/api-keys",
        body: { name: this.target.name, connector: "pyagent", agentId: this.agent, scope },
      });
    const created = isObject(made.body) && isObject(made.body.apiKey) ? made.body.apiKey : made.body;
    const key = isObject(created) ? created.key ?? created.token : undefined;
    if (typeof key !== "string") {
      throw new Error(`The daemon made no key: ${made.status} ${JSON.stringify(made.body)}`);
    }
    return { id: isObject(created) && typeof created.id === "string" ? created.id : "", key };
  }

  /** Revokes the key of `bound()`; its id is empty on a daemon without keys. */
  async revokeBound(): Promise<void> {
    const id = (await this.#bound)?.id;
    if (id) await this.send({ path: `/api/auth/api-keys/${id}`, method: "DELETE" });
  }

  /** Removes what the rows wrote. Returns what is left. */
  async cleanUp(): Promise<string[]> {
    for (const path of this.#files) await Deno.remove(path);
    for (const [sessionKey, agentId] of this.#sessions) {
      const body = { harness: "pyagent", sessionKey, agentId, runtimePath: "plugin", reason: "clear" };
      await this.send({ path: "/api/hooks/session-end", body });
      await this.send({
        path: `/api/cross-agent/presence/${encodeURIComponent(sessionKey)}?agent_id=${agentId}`,
        method: "DELETE",
      });
    }
    if (this.target.profile !== "0.58") {
      for (const agent of this.#agents) {
        await this.send({ path: `/api/agents/${encodeURIComponent(agent)}?purge=true`, method: "DELETE" });
      }
    }
    // In one call, because single ones are limited to 30 a minute.
    const ids = await this.#memories();
    const forget = { mode: "execute", reason: "conformance", force: true, agentId: this.agent };
    for (let from = 0; from < ids.length; from += FORGET_AT_ONCE) {
      const body = { ...forget, ids: ids.slice(from, from + FORGET_AT_ONCE) };
      await this.send({ path: "/api/memory/forget", body });
    }
    const left: string[] = [];
    for (const id of await this.#memories()) {
      // 0.58 lists forgotten memories too.
      const { status } = await this.send({ path: `/api/memory/${id}?agent_id=${this.agent}` });
      if (status === 200) left.push(id);
    }
    return left.length === 0 ? [] : [`${left.length} memories that contain ${this.word}`];
  }

  /** The ids of all memories that this run wrote. */
  async #memories(): Promise<string[]> {
    const { body } = await this.send({ path: `/api/memories?limit=500&agent_id=${this.agent}` });
    const rows = isObject(body) && Array.isArray(body.memories) ? body.memories : [];
    return rows.filter(isObject)
      .filter(({ content }) => typeof content === "string" && content.includes(this.word))
      .map(({ id }) => String(id));
  }
}

function bearer(credential: string | undefined): string | undefined {
  return credential === undefined ? undefined : `Bearer ${credential}`;
}
