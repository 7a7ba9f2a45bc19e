import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Answer } from "../memory/daemon.ts";
import { record, records } from "../memory/daemon.ts";
import { FakeDaemon, jsonReply } from "../testing/fake_daemon.ts";
import { serveTools, type SessionOptions } from "./session.ts";

const line = (message: Record<string, unknown>) => JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n";

/** A client that writes and reads raw lines, so that tests can send malformed ones. */
class Client {
  readonly audits: string[] = [];
  readonly logged: string[] = [];
  readonly ended: Promise<void>;
  stop: () => void = () => {};
  readonly #in = new TransformStream<Uint8Array, Uint8Array>(undefined, { highWaterMark: 100 });
  readonly #writer = this.#in.writable.getWriter();
  readonly #out = new TransformStream<Uint8Array, Uint8Array>(undefined, { highWaterMark: 100 });
  readonly #reader = this.#out.readable.pipeThrough(new TextDecoderStream()).getReader();
  #rest = "";

  constructor(daemon: FakeDaemon, mode: SessionOptions["mode"] = "write", hanging = false) {
    this.ended = serveTools({
      daemon,
      hanging: () => hanging,
      binary: "signet-pyagent",
      version: "1.2.3",
      mode,
      project: "/home/u/proj",
      audit: ({ tool, agentId, outcome }) => this.audits.push(`${tool} ${agentId} ${outcome}`),
      log: (line) => this.logged.push(line),
      stdin: this.#in.readable,
      stdout: this.#out.writable,
      onSignal: (stop) => {
        this.stop = stop;
        return () => {};
      },
    });
  }

  writeBytes(bytes: Uint8Array): Promise<void> {
    return this.#writer.write(bytes);
  }

  write(text: string): Promise<void> {
    return this.writeBytes(new TextEncoder().encode(text));
  }

  send(message: Record<string, unknown>): Promise<void> {
    return this.write(line(message));
  }

  async read(): Promise<Record<string, unknown>> {
    while (!this.#rest.includes("\n")) {
      const { done, value } = await this.#reader.read();
      if (done) throw new Error("the server closed its output");
      this.#rest += value;
    }
    const at = this.#rest.indexOf("\n");
    const line = this.#rest.slice(0, at);
    this.#rest = this.#rest.slice(at + 1);
    return record(JSON.parse(line)) ?? {};
  }

  async ask(method: string, params: unknown = {}, id: unknown = 1): Promise<Record<string, unknown>> {
    await this.send({ id, method, params });
    return await this.read();
  }

  initialize(protocolVersion = "2025-11-25"): Promise<Record<string, unknown>> {
    return this.ask("initialize", {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    });
  }

  async call(name: string, args: unknown, id: unknown = 1): Promise<{ text: string; isError: boolean }> {
    return reply(await this.ask("tools/call", { name, arguments: args }, id));
  }

  /** EOF, as from a harness that exits. */
  async close(): Promise<void> {
    await this.#writer.close();
    await this.ended;
  }

  /** Stops reading, like a harness that was killed. */
  async hangUp(): Promise<void> {
    await this.#reader.cancel();
  }
}

function reply(answer: Record<string, unknown>): { text: string; isError: boolean } {
  const result = record(answer.result);
  return { text: String(records(result?.content)[0]?.text), isError: result?.isError === true };
}

Deno.test("serveTools() initializes with every protocol version that harnesses use", async () => {
  for (const version of ["2025-06-18", "2025-11-25"]) {
    const client = new Client(FakeDaemon.saying({}));
    const result = record((await client.initialize(version)).result);
    assertEquals(result?.protocolVersion, version);
    assertEquals(result?.serverInfo, { name: "signet", version: "1.2.3" });
    assertStringIncludes(String(result?.instructions), "this agent (nicholai/pi)");
    await client.close();
  }
});

Deno.test("serveTools() answers unknown methods before initialize with -32601 and continues", async () => {
  const client = new Client(FakeDaemon.saying({}));
  const answer = await client.ask("server/discover", {}, "server-discover-probe-1");
  assertEquals([answer.id, record(answer.error)?.code], ["server-discover-probe-1", -32601]);
  assertEquals(record((await client.ask("no/such/method", {}, 7)).error)?.code, -32601);
  assert((await client.initialize()).result);
  await client.close();
});

Deno.test("serveTools() answers malformed messages, and continues", async () => {
  const client = new Client(FakeDaemon.saying({}));
  const cases: [string, number][] = [
    ["{ not json\n", -32700],
    ["[1]\n", -32600],
    ['{"id":1}\n', -32600],
    [line({ id: 1 }), -32600],
    [line({ id: null, method: "ping" }), -32600],
    [line({ id: 1, method: "ping", params: [] }), -32600],
  ];
  for (const [line, code] of cases) {
    await client.write(line);
    const answer = await client.read();
    assertEquals([answer.id, record(answer.error)?.code], [null, code]);
  }
  await client.write("\n\r\n");
  assert((await client.initialize()).result);
  await client.close();
});

Deno.test("serveTools() reads a message that arrives in pieces, cut within a character", async () => {
  const client = new Client(FakeDaemon.saying({ results: [] }));
  const bytes = JSON.stringify({ jsonrpc: "2.0", id: "ü", method: "ping" }) + "\n";
  for (const byte of new TextEncoder().encode(bytes)) await client.writeBytes(new Uint8Array([byte]));
  assertEquals((await client.read()).id, "ü");
  await client.close();
});

Deno.test("serveTools() in mode readonly lists only read tools and refuses a write", async () => {
  const daemon = FakeDaemon.saying({});
  const client = new Client(daemon, "readonly");
  const tools = records(record((await client.ask("tools/list")).result)?.tools);
  assertEquals(tools.length, 8);
  const before = daemon.requests.length;
  const answer = await client.call("memory_store", { content: "x" });
  assertEquals(answer.isError, true);
  assertStringIncludes(answer.text, "needs mode write");
  assertEquals([daemon.requests.length, daemon.kept.length], [before, 0]);
  assertEquals(client.audits, ["memory_store nicholai/pi refused"]);
  await client.close();
});

Deno.test("serveTools() does not list what the daemon lacks, and says so once", async () => {
  const daemon = new FakeDaemon(({ path }) =>
    path.startsWith("/api/cross-agent") ? jsonReply(404) : jsonReply(400, { error: "no entity" })
  );
  const client = new Client(daemon);
  await client.send({ method: "notifications/initialized" });
  for (let round = 0; round < 2; round++) {
    const tools = records(record((await client.ask("tools/list")).result)?.tools);
    assertEquals(tools.map(({ name }) => name).filter((name) => String(name).startsWith("agent")), []);
    assertEquals(tools.length, 10);
  }
  assertEquals(client.logged, [
    "signet mcp: the daemon at http://127.0.0.1:3850 does not offer agents; these tools are not listed.",
  ]);
  assertEquals(daemon.requests.length, 4);
  await client.close();
});

Deno.test("serveTools() lists every tool without asking a daemon that hung a moment ago", async () => {
  const daemon = FakeDaemon.saying({});
  const client = new Client(daemon, "write", true);
  assertEquals(records(record((await client.ask("tools/list")).result)?.tools).length, 13);
  assertEquals(daemon.requests, []);
  await client.close();
});

Deno.test("serveTools() lists every tool while the daemon is down", async () => {
  const client = new Client(FakeDaemon.away());
  assertEquals(records(record((await client.ask("tools/list")).result)?.tools).length, 13);
  assertEquals(client.logged, []);
  await client.close();
});

Deno.test("serveTools() audits writes by tool and outcome, and no reads", async () => {
  const client = new Client(FakeDaemon.saying({ id: "m1" }));
  await client.call("memory_get", { id: "m1" });
  await client.call("memory_store", { content: "a secret" });
  await client.call("memory_forget", { id: "m1", reason: "r" });
  await client.close();
  assertEquals(client.audits, ["memory_store nicholai/pi done", "memory_forget nicholai/pi done"]);
});

Deno.test("serveTools() returns tool errors for unknown tools, wrong arguments and internal errors", async () => {
  const client = new Client(
    new FakeDaemon(() => {
      throw new Error("disk full");
    }),
  );
  for (
    const [name, args, text] of [
      ["no_such_tool", {}, "There is no tool no_such_tool. Available tools: memory_search,"],
      ["memory_search", {}, "memory_search needs query."],
      ["memory_search", { query: "x" }, "memory_search failed: disk full. Continue without it."],
      ["memory_search", { query: "x", agent_id: "alice" }, "belongs to the agent nicholai/pi"],
    ] as const
  ) {
    const answer = await client.call(name, args);
    assertEquals(answer.isError, true);
    assertStringIncludes(answer.text, text);
  }
  await client.close();
});

Deno.test("serveTools() refuses a 5 MB argument and survives a line of 40 MB", async () => {
  const client = new Client(FakeDaemon.saying({ id: "m1" }));
  const answer = await client.call("memory_store", { content: "x".repeat(5_000_000) });
  assertEquals(answer.isError, true);
  assertStringIncludes(answer.text, "Shorten it or split it");
  const megabyte = "y".repeat(1 << 20);
  await client.write('{"jsonrpc":"2.0","id":1,"method":"');
  for (let n = 0; n < 40; n++) await client.write(megabyte);
  await client.write('"}\n');
  assertEquals(record((await client.read()).error)?.code, -32600);
  assertEquals((await client.call("memory_store", { content: "x" })).text, "Stored (id m1).");
  await client.close();
});

Deno.test("serveTools() answers 100 concurrent calls, each with its own result", async () => {
  const daemon = new FakeDaemon(async ({ body }) => {
    await Promise.resolve();
    return jsonReply(200, { id: `for ${body?.content}` });
  });
  const client = new Client(daemon);
  const ids = Array.from({ length: 100 }, (_, n) => n);
  for (const id of ids) {
    await client.send({
      id,
      method: "tools/call",
      params: { name: "memory_store", arguments: { content: `c${id}` } },
    });
  }
  const answers = new Map<unknown, string>();
  for (const _ of ids) {
    const answer = await client.read();
    answers.set(answer.id, reply(answer).text);
  }
  assertEquals(ids.map((id) => answers.get(id)), ids.map((id) => `Stored (id for c${id}).`));
  await client.close();
});

Deno.test("serveTools() answers pending requests when input ends", async () => {
  let answer: (answer: Answer) => void = () => {};
  const daemon = new FakeDaemon(() => new Promise<Answer>((resolve) => answer = resolve));
  const client = new Client(daemon);
  await client.send({ id: 1, method: "tools/call", params: { name: "memory_get", arguments: { id: "m1" } } });
  const closing = client.close();
  answer(jsonReply(200, { id: "m1", content: "heron" }));
  assertStringIncludes(reply(await client.read()).text, "heron");
  await closing;
});

Deno.test("serveTools() saves a pending store on disk when a signal stops it", async () => {
  const daemon = new FakeDaemon(() => new Promise<Answer>(() => {}));
  const client = new Client(daemon);
  await client.send({
    id: 1,
    method: "tools/call",
    params: { name: "memory_store", arguments: { content: "x" } },
  });
  await client.ask("ping", {}, 2);
  client.stop();
  await client.ended;
  assertEquals(daemon.kept, [daemon.requests[0]?.body]);
});

Deno.test("serveTools() ends when the client disappears", async () => {
  const client = new Client(FakeDaemon.saying({ id: "m1" }));
  await client.hangUp();
  await client.send({ id: 1, method: "ping" });
  await client.ended;
});
