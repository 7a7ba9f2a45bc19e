import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { readEvents } from "../../connectors/base/agents/transport/event_stream.ts";
import { sampleMessage } from "../../connectors/base/testing/sample_message.ts";
import { Locks } from "../../hooks/agents/locks/locks.ts";
import { isObject } from "../../hooks/json.ts";
import { CONNECT_COMMANDS } from "../../connectors/connect/commands.ts";
import { HARNESSES } from "../../connectors/registry.ts";
import { call } from "../worlds/cli_call.ts";
import { MonitorWorld } from "../worlds/agents/monitor_world.ts";

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** One request as bytes: `fetch` would not send a foreign Host. */
async function raw(
  world: MonitorWorld,
  line: string,
  headers: Record<string, string> = {},
  body = "",
): Promise<Answer> {
  const { hostname, port, host } = new URL(world.url);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  const all = { host, connection: "close", "content-length": String(body.length), ...headers };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`).join("");
  await connection.write(new TextEncoder().encode(`${line} HTTP/1.1\r\n${head}\r\n${body}`));
  const text = await new Response(connection.readable).text();
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), text };
}

const AUTHORIZED = (world: MonitorWorld) => ({ authorization: `Bearer ${world.token}` });
const JSON_TYPE = { "content-type": "application/json" };

/** Every way to the data, with the right token. */
const ROUTES = (world: MonitorWorld): [line: string, body?: string][] => [
  ["GET /api/info"],
  [`GET /api/events?token=${world.token}`],
  ["GET /api/history?words="],
  ["GET /api/conversation/m_1"],
  ["POST /api/send", JSON.stringify({ to: "codex", text: "hello" })],
  ["POST /api/release", JSON.stringify({ token: "t" })],
];

Deno.test("monitor page: a page of another site can neither read nor post, even with the token", async () => {
  await using world = new MonitorWorld();
  const codex = world.begin("codex", "bbbb2222");
  const { host, port } = new URL(world.url);
  const foreign: Record<string, string>[] = [
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: `http://127.0.0.1:${Number(port) === 65535 ? 1 : Number(port) + 1}` },
    { origin: `https://${host}` },
    { host: "evil.example" },
    { host: `evil.example:${port}`, origin: `http://evil.example:${port}` },
    { host: `127.0.0.1.evil.example:${port}` },
  ];
  for (const headers of foreign) {
    for (const [line, body] of [["GET /"] as const, ...ROUTES(world)]) {
      const answer = await raw(world, line, { ...AUTHORIZED(world), ...JSON_TYPE, ...headers }, body);
      assertEquals(answer.status, 403, `${line} ${JSON.stringify(headers)}`);
      assert(!/access-control-allow/i.test(answer.text), answer.text);
    }
  }
  assertEquals(world.mesh.inbox.count(codex).waiting, 0);
});

Deno.test("monitor page: nothing is shown or done without the token", async () => {
  await using world = new MonitorWorld();
  const codex = world.begin("codex", "bbbb2222");
  const wrong: Record<string, string>[] = [
    {},
    { authorization: "Bearer " },
    { authorization: `Bearer ${world.token}x` },
    { authorization: `Bearer ${world.token.slice(0, -1)}` },
    { authorization: `Basic ${btoa(`x:${world.token}`)}` },
    { cookie: `token=${world.token}` },
  ];
  for (const headers of wrong) {
    for (const [line, body] of ROUTES(world)) {
      const bare = line.replace(/\?token=.*/, "?token=wrong");
      const { status } = await raw(world, bare, { ...JSON_TYPE, ...headers }, body);
      assertEquals(status, 401, `${bare} ${JSON.stringify(headers)}`);
    }
  }
  const { status, text } = await raw(world, `GET /api/history?token=${world.token}`);
  assertEquals(status, 401, text);
  assertEquals(world.mesh.inbox.count(codex).waiting, 0);
});

Deno.test("monitor page: a form of another site, which needs no preflight, does nothing", async () => {
  await using world = new MonitorWorld();
  const codex = world.begin("codex", "bbbb2222");
  const body = JSON.stringify({ to: codex.key, text: "hello" });
  for (
    const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""]
  ) {
    // What a browser sends for a form: no token, and an Origin.
    const form = await raw(
      world,
      "POST /api/send",
      { "content-type": type, origin: "https://evil.example" },
      body,
    );
    assertEquals(form.status, 403);
    // Even with the token, what a form can send is not taken for JSON.
    const known = await raw(world, "POST /api/send", { "content-type": type, ...AUTHORIZED(world) }, body);
    assertEquals(known.status, 400, known.text);
  }
  const preflight = await raw(world, "OPTIONS /api/send", {
    origin: "https://evil.example",
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization",
  });
  assertEquals(preflight.status, 403);
  assert(!/access-control-allow/i.test(preflight.text));
  assertEquals(world.mesh.inbox.count(codex).waiting, 0);
});

Deno.test("monitor page: the page itself has no data, and a strict policy", async () => {
  await using world = new MonitorWorld();
  world.begin("codex", "bbbb2222", { project: "/home/u/secret-project" });
  const { status, text } = await raw(world, "GET /");
  assertEquals(status, 200);
  assert(!text.includes(world.token) && !text.includes("secret-project") && !text.includes("bbbb2222"));
  for (
    const header of [
      "content-security-policy: default-src 'none'",
      "referrer-policy: no-referrer",
      "cache-control: no-store",
    ]
  ) {
    assert(text.toLowerCase().includes(header), header);
  }
  assertEquals((await raw(world, "GET /nothing")).status, 404);
});

async function post(
  world: MonitorWorld,
  path: string,
  body: unknown,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await world.ask(path, { method: "POST", headers: JSON_TYPE, body: JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
}

Deno.test("monitor page: sends a message as a person", async () => {
  await using world = new MonitorWorld("write");
  const codex = world.begin("codex", "bbbb2222");
  const sent = await post(world, "/api/send", {
    to: "codex-bbbb",
    text: "<b>hi</b>",
    priority: 4,
    wants: "reply",
  });
  assertEquals(sent.status, 200, JSON.stringify(sent.body));
  const [message] = world.mesh.inbox.peek(codex, "new");
  assertEquals([message?.text, message?.priority, message?.wants], ["<b>hi</b>", 4, "reply"]);
  assertEquals(message?.from.session, world.mesh.person.key);
  assertEquals(sent.body.id, message?.id);
});

Deno.test("monitor page: says why a message was not sent", async () => {
  await using world = new MonitorWorld("write");
  world.begin("codex", "bbbb2222");
  const cases: [unknown, RegExp][] = [
    [{ to: "nobody-1234", text: "x" }, /no agent nobody-1234/],
    [{ to: "codex", text: "" }, /empty/],
    [{ to: "codex" }, /needs a receiver and a text/],
    [{ to: "codex", text: "x", priority: 9 }, /needs a receiver and a text/],
    [[], /needs a receiver and a text/],
    [{ to: "codex", text: "x".repeat(70_000) }, /the limit is/],
  ];
  for (const [body, why] of cases) {
    const answer = await post(world, "/api/send", body);
    assertEquals(answer.status, 400);
    assert(why.test(String(answer.body.error)), String(answer.body.error));
  }
  const broken = await world.ask("/api/send", { method: "POST", headers: JSON_TYPE, body: "{" });
  assertEquals(broken.status, 400);
  await broken.body?.cancel();
});

/** The updates that the page gets, until one passes. */
async function follow(world: MonitorWorld, isLast: (update: Record<string, unknown>) => boolean) {
  const response = await fetch(`${world.url}/api/events?token=${world.token}`);
  if (response.body === null) throw new Error("There is no stream.");
  const updates: Record<string, unknown>[] = [];
  for await (const update of readEvents(response.body)) {
    if (!isObject(update)) continue;
    updates.push(update);
    if (isLast(update)) break;
  }
  return updates;
}

const list = (value: unknown) => Array.isArray(value) ? value : [];

Deno.test("monitor page: follows the board, with everything first and then only what changes", async () => {
  await using world = new MonitorWorld();
  const codex = world.begin("codex", "bbbb2222");
  world.begin("pi", "cccc3333");
  let wrote = false;
  const updates = await follow(world, ({ sessions, messages }) => {
    if (list(sessions).length === 2 && !wrote) {
      wrote = true;
      world.mesh.inbox.put(codex, sampleMessage({ to: { session: codex.key }, text: "news" }));
    }
    return list(messages).some(({ text }) => text === "news");
  });
  assertEquals(updates[0]?.reset, true);
  const last = updates.at(-1);
  assertEquals(last?.reset, undefined);
  assertEquals(list(last?.messages).length, 1);
  const unread = list(last?.sessions).find(({ key }) => key === codex.key)?.unread;
  assert(unread === undefined || unread === 1);
});

/** Waits until the page knows of a lock, and returns its token. */
async function lockToken(world: MonitorWorld, path: string): Promise<string> {
  const updates = await follow(world, ({ locks }) => list(locks).some((lock) => lock.path === path));
  return String(list(updates.at(-1)?.locks).find((lock) => lock.path === path)?.token);
}

Deno.test("monitor page: with mode admin releases an agent's lock, and tells the agent", async () => {
  await using world = new MonitorWorld("admin");
  const codex = world.begin("codex", "bbbb2222");
  await world.locks(codex, "/home/u/app/a.ts", "rename");
  const token = await lockToken(world, "/home/u/app/a.ts");
  const released = await post(world, "/api/release", { token });
  assertEquals(released, { status: 200, body: { path: "/home/u/app/a.ts" } });
  assertEquals(new Locks(world.mesh.dir).dir.list(), []);
  assert(world.mesh.inbox.peek(codex, "new")[0]?.text.includes("removed by force"));
  // The page may still show it for a moment.
  const again = await post(world, "/api/release", { token });
  assertEquals(again.status, 400);
  assert(/any more/.test(String(again.body.error)), String(again.body.error));
});

Deno.test("monitor page: without mode admin releases a person's lock only", async () => {
  await using world = new MonitorWorld("write");
  const codex = world.begin("codex", "bbbb2222");
  await world.locks(codex, "/home/u/app/a.ts");
  await world.locks(world.mesh.person, "/home/u/app/mine.ts");
  const refused = await post(world, "/api/release", { token: await lockToken(world, "/home/u/app/a.ts") });
  assertEquals(refused.status, 403);
  assert(/mode admin/.test(String(refused.body.error)), String(refused.body.error));
  const own = await post(world, "/api/release", { token: await lockToken(world, "/home/u/app/mine.ts") });
  assertEquals(own.status, 200);
  assertEquals(new Locks(world.mesh.dir).dir.list().map(({ path }) => path), ["/home/u/app/a.ts"]);
});

Deno.test("monitor page: in mode readonly neither sends nor releases", async () => {
  await using world = new MonitorWorld("readonly");
  const codex = world.begin("codex", "bbbb2222");
  await world.locks(world.mesh.person, "/home/u/app/mine.ts");
  const sent = await post(world, "/api/send", { to: "codex", text: "x" });
  assertEquals(sent.status, 403);
  const released = await post(world, "/api/release", {
    token: await lockToken(world, "/home/u/app/mine.ts"),
  });
  assertEquals(released.status, 403);
  assertEquals(world.mesh.inbox.count(codex).waiting, 0);
  const info = await (await world.ask("/api/info")).json();
  assertEquals(info.allowed, { send: false, force: false });
});

Deno.test("monitor page: searches the history", async () => {
  await using world = new MonitorWorld("readonly");
  const [codex, pi] = [world.begin("codex", "bbbb2222"), world.begin("pi", "cccc3333")];
  const question = world.writes({
    from: codex,
    to: pi,
    text: "Which database has Larkspur?",
    at: Date.now() - 1000,
  });
  world.writes({
    from: pi,
    to: codex,
    text: "Postgres.",
    at: Date.now(),
    more: { kind: "reply", replyTo: question.id },
  });
  const search = async (query: string) => {
    const response = await world.ask(`/api/history?${query}`);
    const { messages, error } = await response.json();
    return error ?? list(messages).map(({ text }) => text);
  };
  assertEquals(await search("words=larkspur"), ["Which database has Larkspur?"]);
  assertEquals(await search("words="), ["Postgres.", "Which database has Larkspur?"]);
  assertEquals(await search("words=&agent=pi-cccc&since=1h"), ["Postgres.", "Which database has Larkspur?"]);
  assertEquals(await search("words=larkspur&agent=gemini"), []);
  assert(/--since must be/.test(await search("words=&since=yesterday")));
  assert(/no word/.test(await search("words=%22%22")));
  const thread = await (await world.ask(`/api/conversation/${question.id}`)).json();
  assertEquals(list(thread.messages).map(({ text }) => text), ["Which database has Larkspur?", "Postgres."]);
  const none = await (await world.ask("/api/conversation/m_%27%3B--")).json();
  assertEquals(none.messages, []);
});

/** Starts `signet-connect monitor --web` as a process with a home of its own, and reads the address it prints. */
async function startCommand(
  home: string,
): Promise<{ child: Deno.ChildProcess; printed: string; rest: Promise<void> }> {
  const main = fromFileUrl(new URL("../../connectors/connect/main.ts", import.meta.url));
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", main, "monitor", "--web"],
    env: { HOME: home, PATH: Deno.env.get("PATH") ?? "", DENO_DIR: denoDir(), NO_COLOR: "1" },
    clearEnv: true,
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const address = Promise.withResolvers<string>();
  let text = "";
  const rest = child.stdout.pipeThrough(new TextDecoderStream()).pipeTo(
    new WritableStream({
      write(part) {
        text += part;
        if (/#token=\S+\s/.test(text)) address.resolve(text);
      },
      close: () => address.resolve(text),
    }),
  );
  return { child, printed: await address.promise, rest };
}

/** Where the modules are that this test already has. */
function denoDir(): string {
  return Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
}

Deno.test("monitor --web prints an address that works until Ctrl-C", async () => {
  const home = await Deno.makeTempDir({ prefix: "signet-monitor-" });
  const { child, printed, rest } = await startCommand(home);
  const [, url = "", token = ""] = /(http:\/\/127\.0\.0\.1:\d+)\/#token=([\w-]{32})/.exec(printed) ?? [];
  try {
    const ask = async (headers: Record<string, string>) => {
      const response = await fetch(`${url}/api/info`, { headers });
      await response.body?.cancel();
      return response.status;
    };
    assertEquals(await ask({ authorization: `Bearer ${token}` }), 200, printed);
    assertEquals(await ask({}), 401);
  } finally {
    child.kill("SIGINT");
    const { code } = await child.status;
    await rest;
    await Deno.remove(home, { recursive: true });
    assertEquals(code, 130);
  }
});

Deno.test("monitor --web says why it cannot listen", async () => {
  const taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const program = { binary: "signet-connect", harnesses: HARNESSES, commands: CONNECT_COMMANDS };
  const home = await Deno.makeTempDir({ prefix: "signet-monitor-" });
  try {
    for (
      const [port, why] of [["0", "--port must be"], ["x", "--port must be"], [
        String(taken.addr.port),
        "is in use",
      ]]
    ) {
      const { code, err } = await call(program, ["monitor", "--web", "--port", port ?? ""], {
        env: { HOME: home },
      });
      assert(code !== 0 && err.includes(why ?? ""), err);
    }
  } finally {
    taken.close();
    await Deno.remove(home, { recursive: true });
  }
});
