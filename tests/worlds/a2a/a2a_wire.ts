import { assert, assertEquals } from "@std/assert";
import { isObject } from "../../../hooks/json.ts";
import type { A2aGateway } from "./a2a_gateway.ts";

export type Json = Record<string, unknown>;

/** One answer on the wire, without a library in between. */
export interface Wire {
  readonly status: number;
  readonly type: string;
  readonly headers: Headers;
  readonly body: Json;
}

/** Talks to a gateway as the specification writes it: JSON over HTTP. */
export class A2aWire {
  readonly #world: A2aGateway;
  readonly #base: string;

  constructor(world: A2aGateway, path = "") {
    this.#world = world;
    this.#base = `${world.url}${path}`;
  }

  async http(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Wire> {
    const response = await fetch(`${this.#base}${path}`, {
      method,
      headers: this.#headers(headers),
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    const parsed: unknown = text === "" ? {} : JSON.parse(text);
    const [type = ""] = (response.headers.get("content-type") ?? "").split(";", 1);
    return { status: response.status, type, headers: response.headers, body: isObject(parsed) ? parsed : {} };
  }

  /** The result of a JSON-RPC method; throws if there is an error. */
  async call(method: string, params: unknown = {}): Promise<Json> {
    const { body } = await this.rpc(method, params);
    assert(isObject(body.result), `${method}: ${JSON.stringify(body)}`);
    return body.result;
  }

  async rpc(method: string, params: unknown = {}, headers: Record<string, string> = {}): Promise<Wire> {
    const wire = await this.http("POST", "/", { jsonrpc: "2.0", id: "q", method, params }, headers);
    assertEquals([wire.body.jsonrpc, wire.body.id], ["2.0", "q"]);
    return wire;
  }

  /** The events of a stream, as JSON, until it closes or `enough` is true. */
  async *events(path: string, body: unknown, method = "POST"): AsyncGenerator<Json> {
    const response = await fetch(`${this.#base}${path}`, {
      method,
      headers: this.#headers({}),
      body: method === "GET" ? undefined : JSON.stringify(body),
    });
    assertEquals(response.headers.get("content-type"), "text/event-stream");
    let text = "";
    for await (const chunk of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      text += chunk;
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const data = text.slice(0, end).split("\n").filter((line) => line.startsWith("data:"));
        text = text.slice(end + 2);
        if (data.length > 0) yield JSON.parse(data.map((line) => line.slice(5)).join("\n"));
      }
    }
  }

  #headers(more: Record<string, string>): Record<string, string> {
    return {
      authorization: `Bearer ${this.#world.token}`,
      "a2a-version": "1.0",
      "content-type": "application/json",
      ...more,
    };
  }
}

/** A value below an object: `at(task, "status", "state")`. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>((inner, key) => {
    if (Array.isArray(inner)) return inner[Number(key)];
    return isObject(inner) ? inner[key] : undefined;
  }, value);
}
