/**
 * What the A2A specification 1.0 demands of a server ("MUST"), as far as this one has
 * the part: each test names the section. What is not here: gRPC (10), extensions
 * (4.6, none is declared), signatures of cards (8.4, cards are not signed), AUTH_REQUIRED
 * (7.6, never used), custom bindings (12).
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { until } from "../../connectors/base/testing/until.ts";
import type { ListedSession } from "../../hooks/agents/sessions/session.ts";
import { A2aGateway } from "../worlds/a2a/a2a_gateway.ts";
import { A2aWire, at, type Json } from "../worlds/a2a/a2a_wire.ts";
import { WebhookReceiver } from "../worlds/a2a/webhook_receiver.ts";

interface Scene {
  readonly world: A2aGateway;
  readonly wire: A2aWire;
  readonly codex: ListedSession;
}

function must(section: string, demand: string, test: (scene: Scene) => Promise<void>): void {
  Deno.test(`A2A ${section}: ${demand}`, async () => {
    await using world = await A2aGateway.start();
    await test({ world, wire: new A2aWire(world), codex: world.machine.begin("codex") });
  });
}

const now = { returnImmediately: true };
const message = (text: string, more: Json = {}) => ({
  message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }], ...more },
});

async function newTask({ wire }: Scene, more: Json = {}): Promise<Json & { id: string; contextId: string }> {
  const { task } = await wire.call("SendMessage", { ...message("Do it.", more), configuration: now });
  const [id, contextId] = [at(task, "id"), at(task, "contextId")];
  assert(typeof id === "string" && typeof contextId === "string", JSON.stringify(task));
  return { id, contextId };
}

async function finish({ world, codex }: Scene, text = "Done."): Promise<void> {
  await world.answer(codex, await world.seenBy(codex), text);
}

async function state({ wire }: Scene, id: string): Promise<unknown> {
  return at(await wire.call("GetTask", { id }), "status", "state");
}

async function doneTask(scene: Scene): Promise<string> {
  const { id } = await newTask(scene);
  await finish(scene);
  await until("it is done", async () => await state(scene, id) === "TASK_STATE_COMPLETED");
  return id;
}

must("3.1.1", "SendMessage returns a task or a message", async (scene) => {
  const result = await scene.wire.call("SendMessage", { ...message("Hello"), configuration: now });
  assertEquals(Object.keys(result), ["task"]);
  assertEquals(at(result, "task", "status", "state"), "TASK_STATE_SUBMITTED");
});

must("3.1.1", "a media type that is not supported is a ContentTypeNotSupportedError", async ({ wire }) => {
  const params = message("x", { parts: [{ url: "https://example.com/a.png", mediaType: "image/png" }] });
  assertEquals(at((await wire.rpc("SendMessage", params)).body, "error", "code"), -32005);
});

must("3.1.1", "a message for a task that is done is an UnsupportedOperationError", async (scene) => {
  const taskId = await doneTask(scene);
  assertEquals(
    at((await scene.wire.rpc("SendMessage", message("More.", { taskId }))).body, "error", "code"),
    -32004,
  );
});

for (const path of ["/", "/message:stream"]) {
  must("3.1.2", `a stream begins with the task and closes when it is done (${path})`, async (scene) => {
    const params = message("Go.");
    const body = path === "/" ? { jsonrpc: "2.0", id: 7, method: "SendStreamingMessage", params } : params;
    const kinds: string[] = [];
    for await (const event of scene.wire.events(path, body)) {
      const payload = path === "/" ? at(event, "result") : event;
      if (path === "/") assertEquals([event.jsonrpc, event.id], ["2.0", 7]);
      assert(typeof payload === "object" && payload !== null);
      kinds.push(Object.keys(payload).join());
      if (kinds.length === 1) void finish(scene);
    }
    assertEquals(kinds[0], "task");
    assertEquals(kinds.slice(-2), ["artifactUpdate", "statusUpdate"]);
    assert(
      kinds.slice(1).every((kind) => kind === "artifactUpdate" || kind === "statusUpdate"),
      kinds.join(" "),
    );
  });
}

must("3.1.3", "GetTask returns the task, and TaskNotFoundError for an unknown one", async (scene) => {
  const { id, contextId } = await newTask(scene);
  const task = await scene.wire.call("GetTask", { id });
  assertEquals([task.id, task.contextId], [id, contextId]);
  assertEquals(at((await scene.wire.rpc("GetTask", { id: "none" })).body, "error", "code"), -32001);
});

must("3.1.4", "nextPageToken is always there, and empty on the last page", async ({ wire }) => {
  for (const { body } of [{ body: await wire.call("ListTasks") }, await wire.http("GET", "/tasks")]) {
    assertEquals([body.nextPageToken, body.tasks, body.totalSize, body.pageSize], ["", [], 0, 50]);
  }
});

must("3.1.4", "without includeArtifacts there are no artifacts, and with it there are", async (scene) => {
  await doneTask(scene);
  for (const binding of ["rpc", "rest"]) {
    const list = async (includeArtifacts: boolean) =>
      binding === "rpc"
        ? await scene.wire.call("ListTasks", { includeArtifacts })
        : (await scene.wire.http("GET", `/tasks?includeArtifacts=${includeArtifacts}`)).body;
    const plain = at(await list(false), "tasks", 0);
    assert(typeof plain === "object" && plain !== null && !("artifacts" in plain), JSON.stringify(plain));
    assertEquals(at(await list(true), "tasks", 0, "artifacts", 0, "parts", 0, "text"), "Done.");
  }
});

must("3.1.4", "tasks come in the order of their last change, newest first, with a cursor", async (scene) => {
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) ids.push((await newTask(scene)).id);
  await scene.wire.call("CancelTask", { id: ids[0] });
  const found: unknown[] = [];
  const times: number[] = [];
  let pageToken: unknown = "";
  do {
    const page = await scene.wire.call("ListTasks", { pageSize: 1, pageToken });
    found.push(at(page, "tasks", 0, "id"));
    times.push(Date.parse(String(at(page, "tasks", 0, "status", "timestamp"))));
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
  assertEquals(found.toSorted(), ids.toSorted());
  assertEquals(times, times.toSorted((a, b) => b - a));
});

must("3.1.4, 13.1", "ListTasks returns only what the client may see", async (scene) => {
  await newTask(scene);
  const headers = { authorization: `Bearer ${await scene.world.tokenOf("other")}` };
  assertEquals(at((await scene.wire.rpc("ListTasks", {}, headers)).body, "result", "tasks"), []);
});

must("3.1.5", "CancelTask cancels, and TaskNotCancelableError for a task that is done", async (scene) => {
  const { id } = await newTask(scene);
  assertEquals(at(await scene.wire.call("CancelTask", { id }), "status", "state"), "TASK_STATE_CANCELED");
  const done = await doneTask(scene);
  assertEquals(at((await scene.wire.rpc("CancelTask", { id: done })).body, "error", "code"), -32002);
});

for (const method of ["GET", "POST"]) {
  must("3.1.6", `a subscription begins with the task and ends when it is done (${method})`, async (scene) => {
    const { id } = await newTask(scene);
    const kinds: string[] = [];
    for await (const event of scene.wire.events(`/tasks/${id}:subscribe`, {}, method)) {
      kinds.push(Object.keys(event).join());
      if (kinds.length === 1) void finish(scene);
    }
    assertEquals([kinds[0], kinds.at(-1)], ["task", "statusUpdate"]);
  });
}

must("3.1.6", "a subscription to a task that is done is an UnsupportedOperationError", async (scene) => {
  const id = await doneTask(scene);
  assertEquals(at((await scene.wire.rpc("SubscribeToTask", { id })).body, "error", "code"), -32004);
  assertEquals((await scene.wire.http("POST", `/tasks/${id}:subscribe`, {})).status, 400);
});

must(
  "3.1.7-3.1.10",
  "a push configuration persists until it is deleted, and deleting is idempotent",
  async (scene) => {
    const { id: taskId } = await newTask(scene);
    const url = "https://93.184.216.34/hook";
    const made = await scene.wire.call("CreateTaskPushNotificationConfig", { taskId, id: "c1", url });
    assertEquals([made.taskId, made.id, made.url], [taskId, "c1", url]);
    await scene.world.stop();
    await scene.world.restart();
    assertEquals((await scene.wire.call("GetTaskPushNotificationConfig", { taskId, id: "c1" })).url, url);
    const { configs } = await scene.wire.call("ListTaskPushNotificationConfigs", { taskId });
    assertEquals(at(configs, 0, "id"), "c1");
    const path = `/tasks/${taskId}/pushNotificationConfigs/c1`;
    assertEquals((await scene.wire.http("DELETE", path)).status, 204);
    assertEquals((await scene.wire.http("DELETE", path)).status, 204);
    assertEquals((await scene.wire.http("GET", path)).status, 404);
  },
);

must(
  "3.1.11, 3.3.4",
  "without an extended card the operation is an UnsupportedOperationError",
  async ({ wire }) => {
    assertEquals(at((await wire.rpc("GetExtendedAgentCard")).body, "error", "code"), -32004);
    assertEquals((await wire.http("GET", "/extendedAgentCard")).status, 400);
  },
);

must("3.2.2", "a blocking call returns the finished task with its artifacts", async (scene) => {
  const sending = scene.wire.call("SendMessage", message("Go."));
  await finish(scene, "All of it.");
  const { task } = await sending;
  assertEquals(at(task, "status", "state"), "TASK_STATE_COMPLETED");
  assertEquals(at(task, "artifacts", 0, "parts", 0, "text"), "All of it.");
});

must("3.2.2", "a blocking call returns when the agent needs somebody", async (scene) => {
  const sending = scene.wire.call("SendMessage", message("Go."));
  await scene.world.seenBy(scene.codex);
  scene.world.machine.sessions.update(scene.codex, { status: "waiting" });
  assertEquals(at(await sending, "task", "status", "state"), "TASK_STATE_INPUT_REQUIRED");
});

must("3.2.4", "historyLength limits the history, and 0 leaves it out", async (scene) => {
  const { id } = await newTask(scene);
  for (const text of ["Second.", "Third."]) {
    await scene.wire.call("SendMessage", { ...message(text, { taskId: id }), configuration: now });
  }
  const texts = async (historyLength?: number) => {
    const { history } = await scene.wire.call("GetTask", { id, historyLength });
    return Array.isArray(history) ? history.map((each) => at(each, "parts", 0, "text")) : history;
  };
  assertEquals(await texts(), ["Do it.", "Second.", "Third."]);
  assertEquals(await texts(2), ["Second.", "Third."]);
  assertEquals(await texts(0), undefined);
  const { body } = await scene.wire.http("GET", `/tasks/${id}?historyLength=1`);
  assertEquals(at(body, "history", 0, "parts", 0, "text"), "Third.");
});

must("3.3.2", "requests without valid credentials are rejected", async ({ wire }) => {
  assertEquals((await wire.http("GET", "/tasks", undefined, { authorization: "" })).status, 401);
  assertEquals((await wire.http("POST", "/", {}, { authorization: "Bearer x" })).status, 401);
});

must("3.4.1", "the agent makes a contextId and returns it, and keeps that of a client", async (scene) => {
  const { contextId } = await newTask(scene);
  assertMatch(contextId, /^.+$/);
  assertEquals((await newTask(scene, { contextId: "my-context" })).contextId, "my-context");
  const { tasks } = await scene.wire.call("ListTasks", { contextId: "my-context" });
  assert(Array.isArray(tasks) && tasks.length === 1);
});

must("3.4.2", "each task has an id of its own, and an unknown one is a TaskNotFoundError", async (scene) => {
  const ids = [await newTask(scene), await newTask(scene)].map(({ id }) => id);
  assertEquals(new Set(ids).size, 2);
  const { body } = await scene.wire.rpc("SendMessage", message("x", { taskId: "invented" }));
  assertEquals(at(body, "error", "code"), -32001);
});

must("3.4.3", "the context follows from the task, and one that does not match is rejected", async (scene) => {
  const { id, contextId } = await newTask(scene);
  const params = { ...message("More.", { taskId: id }), configuration: now };
  assertEquals(at(await scene.wire.call("SendMessage", params), "task", "contextId"), contextId);
  const wrong = await scene.wire.rpc("SendMessage", message("x", { taskId: id, contextId: "other" }));
  assertEquals(at(wrong.body, "error", "code"), -32602);
});

must("3.5.2, 3.5.3", "every stream of a task gets the same events in the same order", async (scene) => {
  const { id } = await newTask(scene);
  const read = async (events: AsyncGenerator<Json>, first: () => void) => {
    const all: Json[] = [];
    for await (const event of events) {
      if (all.push(event) === 1) first();
    }
    return all.slice(1);
  };
  let begun = 0;
  const readers = [1, 2, 3].map(() =>
    read(scene.wire.events(`/tasks/${id}:subscribe`, {}), () => void begun++)
  );
  const left = scene.wire.events(`/tasks/${id}:subscribe`, {});
  await left.next();
  await left.return(undefined);
  await until("all listen", () => begun === 3);
  await finish(scene);
  const [first, ...others] = await Promise.all(readers);
  assert(first !== undefined && first.length >= 2);
  for (const other of others) assertEquals(other, first);
});

must(
  "3.6.2",
  "an unsupported version is a VersionNotSupportedError, and an empty one means 0.3",
  async ({ wire }) => {
    for (const version of ["0.1", "2.0", "1.0.0", ""]) {
      const { body } = await wire.rpc("ListTasks", {}, { "a2a-version": version });
      assertEquals(at(body, "error", "code"), -32009, version);
      assertEquals(
        (await wire.http("GET", "/tasks", undefined, { "a2a-version": version })).status,
        400,
        version,
      );
    }
  },
);

must("3.6.1", "the version may be a query parameter", async ({ wire }) => {
  assertEquals(
    (await wire.http("GET", "/tasks?A2A-Version=1.0", undefined, { "a2a-version": "" })).status,
    200,
  );
});

Deno.test("A2A 4.3.3: notifications carry the credentials of the configuration, and a StreamResponse", async () => {
  await using receiver = new WebhookReceiver();
  await using world = await A2aGateway.start({ rules: { allow: [receiver.host] } });
  const scene = { world, wire: new A2aWire(world), codex: world.machine.begin("codex") };
  const { id: taskId } = await newTask(scene);
  await scene.wire.call("CreateTaskPushNotificationConfig", {
    taskId,
    url: `http://${receiver.host}/`,
    authentication: { scheme: "Basic", credentials: "dXNlcjpwYXNz" },
  });
  await finish(scene);
  await until("the end was posted", () => receiver.received.some(({ body }) => body.includes("COMPLETED")));
  for (const { headers, body } of receiver.received) {
    assertEquals(headers.get("authorization"), "Basic dXNlcjpwYXNz");
    assertEquals(headers.get("content-type"), "application/a2a+json");
    assert(/^\{"(statusUpdate|artifactUpdate)":/.test(body), body);
  }
});

must("5.3, 11.3", "both bindings do the same", async (scene) => {
  const { id } = await newTask(scene);
  const { body } = await scene.wire.http("GET", `/tasks/${id}`);
  assertEquals(body, await scene.wire.call("GetTask", { id }));
  const sent = await scene.wire.http("POST", "/message:send", { ...message("Hi."), configuration: now });
  assertEquals(Object.keys(sent.body), ["task"]);
});

must("5.4, 9.5, 11.6", "errors of A2A carry ErrorInfo in both bindings", async ({ wire }) => {
  const info = { "@type": "type.googleapis.com/google.rpc.ErrorInfo", domain: "a2a-protocol.org" };
  const { body: rpc } = await wire.rpc("GetTask", { id: "none" });
  for (const [name, value] of Object.entries(info)) assertEquals(at(rpc, "error", "data", 0, name), value);
  assertEquals(at(rpc, "error", "data", 0, "reason"), "TASK_NOT_FOUND");
  const rest = await wire.http("GET", "/tasks/none");
  assertEquals([rest.status, rest.type, at(rest.body, "error", "code")], [404, "application/json", 404]);
  assertEquals(at(rest.body, "error", "status"), "NOT_FOUND");
  assertEquals(at(rest.body, "error", "details", 0, "reason"), "TASK_NOT_FOUND");
});

must("5.5, 5.6.1", "names are camelCase, states are their proto names, times are UTC", async (scene) => {
  const { id } = await newTask(scene);
  const text = JSON.stringify(await scene.wire.call("GetTask", { id }));
  assertEquals(text.match(/"[a-z]+_[a-z_]+":/g), null, text);
  assertMatch(text, /"state":"TASK_STATE_SUBMITTED"/);
  assertMatch(text, /"timestamp":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/);
});

must("5.7", "a message without its required fields is rejected", async ({ wire }) => {
  for (const broken of [{ parts: [{ text: "x" }] }, { messageId: "m", parts: [] }, { messageId: "m" }]) {
    const { body } = await wire.rpc("SendMessage", { message: broken });
    assertEquals(at(body, "error", "code"), -32602, JSON.stringify(broken));
  }
});

must(
  "8.2, 8.3, 14.3",
  "the card is at its well-known address and declares bindings and security",
  async ({ world, wire }) => {
    const { status, body, headers } = await wire.http("GET", "/.well-known/agent-card.json", undefined, {
      authorization: "",
    });
    assertEquals(status, 200);
    for (const field of ["name", "description", "version", "capabilities", "skills", "defaultInputModes"]) {
      assert(field in body, field);
    }
    const interfaces = [0, 1].map((i) =>
      ["url", "protocolBinding", "protocolVersion"].map((name) => at(body, "supportedInterfaces", i, name))
    );
    assertEquals(interfaces, [[world.url, "JSONRPC", "1.0"], [world.url, "HTTP+JSON", "1.0"]]);
    assertEquals(at(body, "securitySchemes", "bearer", "httpAuthSecurityScheme", "scheme"), "Bearer");
    assertEquals(at(body, "securityRequirements", 0, "schemes", "bearer"), {});
    const etag = headers.get("etag") ?? "";
    const again = await wire.http("GET", "/.well-known/agent-card.json", undefined, {
      "if-none-match": etag,
    });
    assertEquals(again.status, 304, "8.6: a card can be cached");
  },
);

must("9.1, 9.3", "JSON-RPC works at the address of the card, with and without a slash", async (scene) => {
  const codex = new A2aWire(scene.world, "/agents/codex");
  const body = { jsonrpc: "2.0", id: 1, method: "ListTasks", params: {} };
  for (const path of ["", "/"]) assertEquals((await codex.http("POST", path, body)).status, 200, path);
});

must(
  "11.4, 14.1",
  "REST answers in application/a2a+json, and in JSON where that was sent",
  async ({ wire }) => {
    const plain = await wire.http("GET", "/tasks");
    assertEquals(plain.type, "application/json");
    const media = await wire.http("GET", "/tasks", undefined, { "content-type": "application/a2a+json" });
    assertEquals(media.type, "application/a2a+json");
  },
);
