import { assert, assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { StreamResponse } from "@a2a-js/sdk";
import { Locks } from "../../hooks/agents/locks/locks.ts";
import { appendLine } from "../../hooks/agents/locks/lock_log.ts";
import { until } from "../../connectors/base/testing/until.ts";
import { sign } from "../../connectors/connect/a2a/push/signature.ts";
import { A2aGateway } from "../worlds/a2a/a2a_gateway.ts";
import { asTask, eventName, sendRequest, stateName, userMessage } from "../worlds/a2a/a2a_requests.ts";
import { makeCertificates } from "../worlds/certificates.ts";
import { type Received, WebhookReceiver } from "../worlds/a2a/webhook_receiver.ts";

const NONE = { tenant: "", id: "", taskId: "", token: "", authentication: undefined };

function events(received: readonly Received[]): string[] {
  return received.map(({ body }) => eventName(StreamResponse.fromJSON(JSON.parse(body))));
}

/** Whether a signature is that of this body, with the time that it names. */
async function isSigned({ headers, body }: Received, secret: string): Promise<boolean> {
  const signature = headers.get("x-signet-signature") ?? "";
  const [, seconds = "0"] = /^t=(\d+),v1=[0-9a-f]{64}$/.exec(signature) ?? [];
  return signature === await sign(secret, body, Number(seconds) * 1000);
}

Deno.test("a2a push: each change of a task is posted, in order, signed, and with the client's credentials", async () => {
  await using receiver = new WebhookReceiver();
  await using world = await A2aGateway.start({ rules: { allow: [receiver.host] } });
  const codex = world.machine.begin("codex");
  const client = await world.client();
  const sending = client.sendMessage(sendRequest(userMessage("Do it."), {
    taskPushNotificationConfig: {
      ...NONE,
      id: "mine",
      url: `http://${receiver.host}/hook`,
      token: "s3cret",
      authentication: { scheme: "Bearer", credentials: "abc" },
    },
  }));
  const message = await world.seenBy(codex);
  await until("it is known as seen", () => receiver.received.length >= 1);
  await world.answer(codex, message, "Done.");
  const task = asTask(await sending);
  const received = await receiver.count(3);
  assertEquals(events(received), ["status WORKING", "artifact", "status COMPLETED"]);
  for (const each of received) {
    assertEquals([each.path, each.headers.get("authorization")], ["/hook", "Bearer abc"]);
    assertEquals(each.headers.get("x-a2a-notification-token"), "s3cret");
    assert(await isSigned(each, "s3cret"));
  }
  const listed = await client.listTaskPushNotificationConfig({
    tenant: "",
    taskId: task.id,
    pageSize: 0,
    pageToken: "",
  });
  assertEquals(listed.configs.map(({ id }) => id), ["mine"]);
});

Deno.test("a2a push: a config can be created, read and deleted, and nothing is sent after that", async () => {
  await using receiver = new WebhookReceiver();
  await using world = await A2aGateway.start({ rules: { allow: [receiver.host] } });
  const codex = world.machine.begin("codex");
  for (const binding of ["JSONRPC", "HTTP+JSON"] as const) {
    const client = await world.client(binding);
    const task = asTask(
      await client.sendMessage(sendRequest(userMessage("Do it."), { returnImmediately: true })),
    );
    const url = `http://${receiver.host}/${task.id}`;
    const made = await client.createTaskPushNotificationConfig({ ...NONE, taskId: task.id, url });
    assertMatch(made.id, /^.+$/, "the gateway chose an id");
    const read = await client.getTaskPushNotificationConfig({ tenant: "", taskId: task.id, id: made.id });
    assertEquals(read.url, url);
    for (let i = 0; i < 2; i++) {
      await client.deleteTaskPushNotificationConfig({ tenant: "", taskId: task.id, id: made.id });
    }
    await assertRejects(() =>
      client.getTaskPushNotificationConfig({ tenant: "", taskId: task.id, id: made.id })
    );
    await world.answer(codex, await world.seenBy(codex), "Done.");
    await until(
      "it is done",
      async () =>
        stateName(await client.getTask({ tenant: "", id: task.id, historyLength: undefined })) ===
          "COMPLETED",
    );
  }
  assertEquals(receiver.received, []);
});

Deno.test("a2a push: loopback, private and link-local addresses are refused when they are given", async () => {
  await using world = await A2aGateway.start({
    rules: { allow: [], resolve: () => Promise.resolve(["10.1.2.3"]) },
  });
  world.machine.begin("codex");
  const client = await world.client();
  const hosts = [
    "127.0.0.1",
    "127.1",
    "0",
    "[::1]",
    "10.0.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "localhost",
    "x.test",
  ];
  for (const host of hosts) {
    const taskPushNotificationConfig = { ...NONE, url: `http://${host}/hook` };
    const error = await assertRejects(() =>
      client.sendMessage(
        sendRequest(userMessage("x"), { taskPushNotificationConfig, returnImmediately: true }),
      )
    );
    assertStringIncludes(String(error), "is not on the public internet", host);
  }
  assertEquals(world.gateway.board.store.open(), [], "a refused request leaves no task");
});

Deno.test("a2a push: a name that points to a private address later is not connected to", async () => {
  await using receiver = new WebhookReceiver();
  let lookups = 0;
  const resolve = () => Promise.resolve(lookups++ === 0 ? ["93.184.216.34"] : ["127.0.0.1"]);
  await using world = await A2aGateway.start({ rules: { allow: [], resolve } });
  const codex = world.machine.begin("codex");
  const client = await world.client();
  const url = `http://rebound.test:${receiver.port}/hook`;
  const task = asTask(
    await client.sendMessage(sendRequest(userMessage("x"), {
      taskPushNotificationConfig: { ...NONE, url },
      returnImmediately: true,
    })),
  );
  await world.answer(codex, await world.seenBy(codex), "Done.");
  await until(
    "the gateway gave up",
    () => world.lines.some((line) => line.includes("is not on the public internet")),
  );
  assertEquals(receiver.received, []);
  assertEquals(
    stateName(await client.getTask({ tenant: "", id: task.id, historyLength: undefined })),
    "COMPLETED",
  );
});

Deno.test("a2a push: a redirect is not followed", async () => {
  await using inner = new WebhookReceiver();
  await using outer = new WebhookReceiver();
  for (let i = 0; i < 3; i++) outer.answers.push(Response.redirect(`http://${inner.host}/secret`, 307));
  await using world = await A2aGateway.start({ rules: { allow: [outer.host] } });
  const codex = world.machine.begin("codex");
  const client = await world.client();
  const sending = client.sendMessage(sendRequest(userMessage("x"), {
    taskPushNotificationConfig: { ...NONE, url: `http://${outer.host}/hook` },
  }));
  await world.answer(codex, await world.seenBy(codex), "Done.");
  await sending;
  await until("the gateway gave up", () => world.lines.some((line) => line.includes("redirects")));
  assertEquals(inner.received, []);
});

Deno.test("a2a push: a receiver that fails is tried three times, and order is kept", async () => {
  await using receiver = new WebhookReceiver();
  receiver.answers.push(500, 503);
  await using world = await A2aGateway.start({ rules: { allow: [receiver.host] }, pausesMs: [1, 1] });
  const codex = world.machine.begin("codex");
  const client = await world.client();
  const sending = client.sendMessage(sendRequest(userMessage("x"), {
    taskPushNotificationConfig: { ...NONE, url: `http://${receiver.host}/hook` },
  }));
  const message = await world.seenBy(codex);
  await receiver.count(3);
  await world.answer(codex, message, "Done.");
  await sending;
  assertEquals(events(await receiver.count(5)), [
    ...["status WORKING", "status WORKING", "status WORKING"],
    ...["artifact", "status COMPLETED"],
  ]);
  receiver.answers.push(500, 500, 500);
  const again = client.sendMessage(sendRequest(userMessage("y"), {
    taskPushNotificationConfig: { ...NONE, url: `http://${receiver.host}/hook` },
  }));
  await world.seenBy(codex);
  await until("the gateway gave up", () => world.lines.some((line) => line.includes("it answered 500")));
  world.machine.sessions.end(codex);
  await again;
});

Deno.test("a2a push: what was not sent when the gateway stopped is sent after its start", async () => {
  await using receiver = new WebhookReceiver();
  receiver.answers.push(503);
  await using world = await A2aGateway.start({
    rules: { allow: [receiver.host] },
    pausesMs: [600_000, 600_000],
  });
  const codex = world.machine.begin("codex");
  const client = await world.client();
  await client.sendMessage(sendRequest(userMessage("x"), {
    taskPushNotificationConfig: { ...NONE, url: `http://${receiver.host}/hook` },
    returnImmediately: true,
  }));
  await world.seenBy(codex);
  await receiver.count(1);
  await world.stop();
  world.retryNow();
  await world.restart();
  assertEquals(events(await receiver.count(2)), ["status WORKING", "status WORKING"]);
});

Deno.test("a2a push: over TLS the certificate is that of the name, at the checked address", async () => {
  await using certificates = await makeCertificates();
  await using receiver = new WebhookReceiver(certificates);
  const resolve = () => Promise.resolve(["127.0.0.1"]);
  const rules = { allow: ["localhost", "other.test"], resolve };
  const caCerts = [await Deno.readTextFile(certificates.ca)];
  await using world = await A2aGateway.start({ rules, caCerts, pausesMs: [] });
  const codex = world.machine.begin("codex");
  const client = await world.client();
  for (const name of ["localhost", "other.test"]) {
    await client.sendMessage(sendRequest(userMessage(name), {
      taskPushNotificationConfig: { ...NONE, url: `https://${name}:${receiver.port}/hook` },
      returnImmediately: true,
    }));
    await world.seenBy(codex);
  }
  await receiver.count(1);
  await until("the other name failed", () => world.lines.some((line) => line.includes("other.test")));
  assertEquals(receiver.received.length, 1);
});

Deno.test("a2a webhooks: tasks, messages and violated locks are posted with a signature", async () => {
  await using receiver = new WebhookReceiver();
  await using world = await A2aGateway.start();
  const { data } = await world.machine.json("a2a", "webhooks", "add", `http://${receiver.host}/events`);
  const codex = world.machine.begin("codex");
  await until("the gateway watches", async () => {
    await world.machine.run("send", "codex", "--as", "person", "--no-reply", "Hello");
    return receiver.received.length > 0;
  });
  const client = await world.client();
  const sending = client.sendMessage(sendRequest(userMessage("A secret plan")));
  const message = await until("the task is there", async () => {
    const next = await world.seenBy(codex);
    return next.text === "A secret plan" ? next : undefined;
  });
  await world.answer(codex, message, "A secret answer");
  await sending;
  const canceled = asTask(
    await client.sendMessage(sendRequest(userMessage("No."), { returnImmediately: true })),
  );
  await client.cancelTask({ tenant: "", id: canceled.id, metadata: undefined });
  const failing = client.sendMessage(sendRequest(userMessage("Fail.")));
  const last = await until("the task is there", async () => {
    const next = await world.seenBy(codex);
    return next.text === "Fail." ? next : undefined;
  });
  await world.answer(codex, last, "It failed.", true);
  await failing;
  const record = {
    at: new Date().toISOString(),
    event: "violated",
    path: "/home/u/app/a.ts",
    owner: "pi s1",
  } as const;
  appendLine(new Locks(world.machine.dir).logPath, record);
  const wanted = ["message.received", "task.completed", "task.canceled", "task.failed", "lock.violated"];
  const names = () => new Set(receiver.received.map(({ headers }) => headers.get("x-signet-event") ?? ""));
  await until("every event has come", () => wanted.every((name) => names().has(name)));
  for (const each of receiver.received) {
    assert(await isSigned(each, String(data.secret)), each.body);
    assert(!each.body.includes("secret plan") && !each.body.includes("secret answer"), "texts stay here");
  }
  const { event, data: facts } = JSON.parse(
    receiver.received.find(({ headers }) => headers.get("x-signet-event") === "lock.violated")?.body ?? "{}",
  );
  assertEquals([event, facts.path, facts.owner], ["lock.violated", "/home/u/app/a.ts", "pi s1"]);
});

Deno.test("a2a webhooks: only the chosen events are posted, and none after its removal", async () => {
  await using world = await A2aGateway.start();
  const add = await world.machine.json(
    "a2a",
    "webhooks",
    "add",
    "http://127.0.0.1:9/",
    "--event",
    "task.failed",
  );
  const id = String(add.data.id);
  const { data } = await world.machine.json("a2a", "webhooks");
  assertEquals(
    data.webhooks,
    [{ id, url: "http://127.0.0.1:9/", events: ["task.failed"] }],
    "no secret is shown again",
  );
  assertEquals((await world.machine.run("a2a", "webhooks", "remove", id)).code, 0);
  assertEquals((await world.machine.run("a2a", "webhooks", "remove", id)).code, 2);
  assertEquals((await world.machine.run("a2a", "webhooks", "add", "ftp://x/")).code, 2);
});
