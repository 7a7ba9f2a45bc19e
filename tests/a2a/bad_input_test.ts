import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { isObject } from "../../hooks/json.ts";
import { until } from "../../connectors/base/testing/until.ts";
import { A2aGateway } from "../worlds/a2a/a2a_gateway.ts";

const SEND = { message: { messageId: "m-1", role: "ROLE_USER", parts: [{ text: "Hello" }] } };

interface Request {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: BodyInit;
}

/** A request with a valid token and version, unless the test says otherwise. */
async function request(world: A2aGateway, { method = "POST", path = "/", headers = {}, body }: Request) {
  const response = await fetch(`${world.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${world.token}`,
      "a2a-version": "1.0",
      "content-type": "application/json",
      ...headers,
    },
    body: method === "GET" || method === "DELETE" ? undefined : body,
  });
  const text = await response.text();
  const json: unknown = text.startsWith("{") ? JSON.parse(text) : undefined;
  const error = isObject(json) && isObject(json.error) ? json.error : undefined;
  return { status: response.status, headers: response.headers, text, code: error?.code };
}

function rpc(method: string, params: unknown = {}): string {
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
}

async function isAlive(world: A2aGateway): Promise<boolean> {
  return (await request(world, { body: rpc("ListTasks") })).status === 200;
}

Deno.test("a2a: without a token of this gateway every operation is 401", async () => {
  await using world = await A2aGateway.start();
  const tokens = [
    "",
    "Bearer",
    "Bearer wrong",
    `Basic ${world.token}`,
    `Bearer ${world.token}x`,
    "Bearer sa2a_",
  ];
  for (const authorization of tokens) {
    const calls = [
      request(world, { headers: { authorization }, body: rpc("SendMessage", SEND) }),
      request(world, { headers: { authorization }, method: "GET", path: "/tasks" }),
      request(world, {
        headers: { authorization },
        method: "GET",
        path: "/agents/codex/.well-known/agent-card.json",
      }),
      request(world, { headers: { authorization }, method: "GET", path: "/no/such/path" }),
    ];
    for (const { status, headers } of await Promise.all(calls)) {
      assertEquals([status, headers.get("www-authenticate")], [401, "Bearer"], authorization);
    }
  }
  const card = await request(world, {
    method: "GET",
    path: "/.well-known/agent-card.json",
    headers: { authorization: "" },
  });
  assertEquals(card.status, 200, "the card says how to authenticate");
});

Deno.test("a2a: a revoked token stops working at once", async () => {
  await using world = await A2aGateway.start();
  assert(await isAlive(world));
  await world.machine.run("a2a", "tokens", "revoke", "tester");
  assertEquals((await request(world, { body: rpc("ListTasks") })).status, 401);
});

Deno.test("a2a: a foreign Host or Origin is 403, whatever the token", async () => {
  await using world = await A2aGateway.start();
  const { port } = new URL(world.url);
  // fetch sets Host itself, so this one is written by hand.
  for (
    const host of ["evil.example", `evil.example:${port}`, "127.0.0.1.evil.example", "localhost.evil.example"]
  ) {
    const answer = await raw(world, `GET /tasks HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    assertStringIncludes(answer, "HTTP/1.1 403", host);
  }
  for (const origin of ["https://evil.example", "http://127.0.0.1:1", "null", `https://127.0.0.1:${port}`]) {
    const { status } = await request(world, { headers: { origin }, body: rpc("ListTasks") });
    assertEquals(status, 403, origin);
  }
  const own = await request(world, { headers: { origin: world.url }, body: rpc("ListTasks") });
  assertEquals(own.status, 200);
});

async function raw(world: A2aGateway, text: string): Promise<string> {
  const { hostname, port } = new URL(world.url);
  using conn = await Deno.connect({ hostname, port: Number(port) });
  await conn.write(new TextEncoder().encode(text));
  return await new Response(conn.readable).text();
}

Deno.test("a2a: the task of another client is not found, for every operation", async () => {
  await using world = await A2aGateway.start();
  world.machine.begin("codex");
  const params = { ...SEND, configuration: { returnImmediately: true } };
  const { text } = await request(world, { body: rpc("SendMessage", params) });
  const { id } = JSON.parse(text).result.task;
  const headers = { authorization: `Bearer ${await world.tokenOf("other")}` };
  const config = { taskId: id, id: "c", url: "https://example.com/" };
  for (
    const [method, params] of [
      ["GetTask", { id }],
      ["CancelTask", { id }],
      ["SubscribeToTask", { id }],
      ["SendMessage", { message: { ...SEND.message, messageId: "m-2", taskId: id } }],
      ["CreateTaskPushNotificationConfig", config],
      ["GetTaskPushNotificationConfig", config],
      ["ListTaskPushNotificationConfigs", { taskId: id }],
      ["DeleteTaskPushNotificationConfig", config],
    ] as const
  ) {
    assertEquals((await request(world, { headers, body: rpc(method, params) })).code, -32001, method);
  }
  for (
    const [method, path] of [
      ["GET", `/tasks/${id}`],
      ["POST", `/tasks/${id}:cancel`],
      ["POST", `/tasks/${id}:subscribe`],
      ["GET", `/tasks/${id}/pushNotificationConfigs`],
    ] as const
  ) {
    assertEquals((await request(world, { headers, method, path, body: "{}" })).status, 404, path);
  }
});

const RPC_CASES: [title: string, request: Request, code: number][] = [
  ["an unknown method", { body: rpc("Nonsense") }, -32601],
  ["malformed JSON", { body: '{"jsonrpc": "2.0", ' }, -32700],
  ["an empty body", { body: "" }, -32700],
  ["a list of requests", { body: "[]" }, -32600],
  ["JSON-RPC 1.0", { body: JSON.stringify({ jsonrpc: "1.0", id: 1, method: "GetTask" }) }, -32600],
  [
    "an id that is an object",
    { body: JSON.stringify({ jsonrpc: "2.0", id: {}, method: "GetTask" }) },
    -32600,
  ],
  ["no parameters", { body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "GetTask" }) }, -32602],
  ["an unknown task", { body: rpc("GetTask", { id: "nope" }) }, -32001],
  ["a task without an id", { body: rpc("GetTask", { id: " " }) }, -32602],
  ["no message", { body: rpc("SendMessage") }, -32602],
  ["a message without an id", { body: rpc("SendMessage", { message: { parts: [{ text: "x" }] } }) }, -32602],
  [
    "a message without parts",
    { body: rpc("SendMessage", { message: { messageId: "m", parts: [] } }) },
    -32602,
  ],
  [
    "a blank message",
    { body: rpc("SendMessage", { message: { messageId: "m", parts: [{ text: " \n" }] } }) },
    -32602,
  ],
  [
    "a zero byte",
    { body: rpc("SendMessage", { message: { messageId: "m", parts: [{ text: "a\0b" }] } }) },
    -32602,
  ],
  [
    "a file",
    {
      body: rpc("SendMessage", {
        message: { messageId: "m", parts: [{ raw: "AAAA", mediaType: "image/png" }] },
      }),
    },
    -32005,
  ],
  [
    "a text that is too long",
    { body: rpc("SendMessage", { message: { messageId: "m", parts: [{ text: "x".repeat(70_000) }] } }) },
    -32602,
  ],
  ["an unknown version", { headers: { "a2a-version": "9.9" }, body: rpc("ListTasks") }, -32009],
  ["no version, which means 0.3", { headers: { "a2a-version": "" }, body: rpc("ListTasks") }, -32009],
  ["another content type", { headers: { "content-type": "text/plain" }, body: rpc("ListTasks") }, -32005],
  ["a page of nothing", { body: rpc("ListTasks", { pageSize: 0 }) }, -32602],
  ["a page that is too large", { body: rpc("ListTasks", { pageSize: 101 }) }, -32602],
  ["a page token of somebody else", { body: rpc("ListTasks", { pageToken: "AAAA" }) }, -32602],
  ["an unknown state", { body: rpc("ListTasks", { status: "TASK_STATE_BORED" }) }, -32602],
  ["a negative history", { body: rpc("ListTasks", { historyLength: -1 }) }, -32602],
  ["an extended card", { body: rpc("GetExtendedAgentCard") }, -32004],
];

Deno.test("a2a: JSON-RPC answers bad requests with the specification's codes", async (t) => {
  await using world = await A2aGateway.start();
  world.machine.begin("codex");
  for (const [title, bad, code] of RPC_CASES) {
    await t.step(`${title} is ${code}`, async () => {
      const answer = await request(world, bad);
      assertEquals([answer.status, answer.code], [200, code], answer.text);
    });
  }
  assert(await isAlive(world));
});

const REST_CASES: [title: string, request: Request, status: number][] = [
  ["malformed JSON", { path: "/message:send", body: "{" }, 400],
  ["a list", { path: "/message:send", body: "[]" }, 400],
  [
    "another content type",
    { path: "/message:send", headers: { "content-type": "text/plain" }, body: "{}" },
    400,
  ],
  ["an unknown version", { path: "/tasks", method: "GET", headers: { "a2a-version": "2.0" } }, 400],
  ["an unknown task", { path: "/tasks/nope", method: "GET" }, 404],
  ["a task id with a percent sign", { path: "/tasks/%25", method: "GET" }, 404],
  ["an unknown task to cancel", { path: "/tasks/nope:cancel", body: "{}" }, 404],
  ["an unknown task to subscribe to", { path: "/tasks/nope:subscribe", body: "{}" }, 404],
  ["a page size that is no number", { path: "/tasks?pageSize=ten", method: "GET" }, 400],
  ["an unknown path", { path: "/tasks/a/b/c", method: "GET" }, 404],
  ["an unknown agent", { path: "/agents/nobody/tasks", method: "GET" }, 404],
  ["an unknown verb", { path: "/message:explode", body: "{}" }, 404],
];

Deno.test("a2a: REST answers bad requests with the specification's statuses", async (t) => {
  await using world = await A2aGateway.start();
  for (const [title, bad, status] of REST_CASES) {
    await t.step(`${title} is ${status}`, async () => {
      const answer = await request(world, bad);
      assertEquals(answer.status, status, answer.text);
    });
  }
  assert(await isAlive(world));
});

Deno.test("a2a: a message of 32 MB is refused before it is read, and the gateway lives on", async () => {
  await using world = await A2aGateway.start();
  const { host } = new URL(world.url);
  const head = `POST / HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${world.token}\r\n` +
    `A2A-Version: 1.0\r\nContent-Type: application/json\r\nConnection: close\r\n`;
  const announced = await raw(world, `${head}Content-Length: ${32 * 1024 * 1024}\r\n\r\n{`);
  assertStringIncludes(announced, "HTTP/1.1 413");
  // Without a length it is counted while it is read.
  const chunk = "x".repeat(256 * 1024);
  const chunks = Array(5).fill(`40000\r\n${chunk}\r\n`).join("");
  const counted = await raw(world, `${head}Transfer-Encoding: chunked\r\n\r\n${chunks}`).catch(() => "reset");
  assert(counted === "reset" || counted.startsWith("HTTP/1.1 413"), counted.slice(0, 200));
  assert(await isAlive(world));
});

Deno.test("a2a: more open streams than allowed are refused, and leave no task behind", async () => {
  await using world = await A2aGateway.start({ mostStreams: 20 });
  world.machine.begin("codex");
  const stop = new AbortController();
  const open = async (i: number) => {
    const params = { message: { ...SEND.message, messageId: `m-${i}` } };
    const response = await fetch(world.url, {
      method: "POST",
      signal: stop.signal,
      headers: {
        authorization: `Bearer ${world.token}`,
        "a2a-version": "1.0",
        "content-type": "application/json",
      },
      body: rpc("SendStreamingMessage", params),
    });
    if (response.status !== 200) await response.body?.cancel();
    return response;
  };
  const responses: Response[] = [];
  for (let i = 0; i < 1000; i += 50) {
    responses.push(...await Promise.all(Array.from({ length: 50 }, (_, n) => open(i + n))));
  }
  const accepted = responses.filter(({ status }) => status === 200);
  assertEquals(accepted.length, 20);
  assertEquals(responses.filter(({ status }) => status === 429).length, 980);
  assertEquals(world.gateway.board.store.open().length, 20);
  assert(await isAlive(world), "other calls are answered");
  await Promise.all(accepted.map((response) => response.body?.cancel()));
  await until("the streams are closed", () => world.gateway.board.listening === 0);
  const again = await open(1000);
  assertEquals(again.status, 200, "there is room again");
  await again.body?.cancel();
  stop.abort();
});
