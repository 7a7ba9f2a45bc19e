import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { wrapMessages } from "../../hooks/agents/messages/wrap.ts";
import { until } from "../../connectors/base/testing/until.ts";
import { A2aGateway, type Binding } from "../worlds/a2a/a2a_gateway.ts";
import {
  artifactText,
  asTask,
  eventName,
  sendRequest,
  stateName,
  userMessage,
} from "../worlds/a2a/a2a_requests.ts";

const BINDINGS: readonly Binding[] = ["JSONRPC", "HTTP+JSON"];

for (const binding of BINDINGS) {
  Deno.test(`a2a ${binding}: a task reaches the agent's session, and its reply completes the task`, async () => {
    await using world = await A2aGateway.start();
    const codex = world.machine.begin("codex");
    const client = await world.client(binding);
    const sending = client.sendMessage(sendRequest(userMessage("Which tests fail?")));
    const message = await world.seenBy(codex);
    assertEquals([message.text, message.wants, message.from.agentId], [
      "Which tests fail?",
      "reply",
      "a2a:tester",
    ]);
    assertStringIncludes(wrapMessages([message], "n"), 'from="a2a:tester" agent="a2a:tester" project="app"');
    await world.answer(codex, message, "None do.");
    const task = asTask(await sending);
    assertEquals([stateName(task), artifactText(task)], ["COMPLETED", "None do."]);
    assertEquals(task.history.map(({ taskId }) => taskId), [task.id]);
  });

  Deno.test(`a2a ${binding}: a stream shows each step, and reply --fail fails the task`, async () => {
    await using world = await A2aGateway.start();
    const codex = world.machine.begin("codex");
    const client = await world.client(binding, "codex");
    const events: string[] = [];
    let words = "";
    for await (const event of client.sendMessageStream(sendRequest(userMessage("Push to main.")))) {
      events.push(eventName(event));
      const { payload } = event;
      if (eventName(event) === "task SUBMITTED") {
        void world.seenBy(codex).then(async (message) => {
          await until("the client knows that it was seen", () => events.includes("status WORKING"));
          await world.answer(codex, message, "I may not push.", true);
        });
      }
      if (payload?.$case === "statusUpdate") words = JSON.stringify(payload.value.status?.message ?? "");
    }
    assertEquals(events, ["task SUBMITTED", "status WORKING", "status FAILED"]);
    assertStringIncludes(words, "I may not push.");
  });

  Deno.test(`a2a ${binding}: a client that lost its stream subscribes again, also after a restart`, async () => {
    await using world = await A2aGateway.start();
    const codex = world.machine.begin("codex");
    const client = await world.client(binding);
    const sent = asTask(
      await client.sendMessage(sendRequest(userMessage("Take your time."), { returnImmediately: true })),
    );
    assertEquals(stateName(sent), "SUBMITTED");
    const message = await world.seenBy(codex);
    await world.stop();
    await world.answer(codex, message, "Done while nobody listened.");
    await world.restart();
    const again = await until("the answer was taken", async () => {
      const task = await client.getTask({ tenant: "", id: sent.id, historyLength: undefined });
      return stateName(task) === "COMPLETED" ? task : undefined;
    });
    assertEquals(artifactText(again), "Done while nobody listened.");
    await assertRejects(async () => {
      for await (const _ of client.resubscribeTask({ tenant: "", id: sent.id }));
    });

    const second = asTask(
      await client.sendMessage(sendRequest(userMessage("Again."), { returnImmediately: true })),
    );
    const events: string[] = [];
    for await (const event of client.resubscribeTask({ tenant: "", id: second.id })) {
      events.push(eventName(event));
      if (events.length === 1) {
        const next = await world.seenBy(codex);
        await until("the client knows that it was seen", async () => {
          const task = await client.getTask({ tenant: "", id: second.id, historyLength: undefined });
          return stateName(task) === "WORKING";
        });
        await world.answer(codex, next, "Here.");
      }
    }
    assertEquals(events, ["task SUBMITTED", "status WORKING", "artifact", "status COMPLETED"]);
  });

  Deno.test(`a2a ${binding}: cancel takes back what the agent has not seen, and tells it otherwise`, async () => {
    await using world = await A2aGateway.start();
    const codex = world.machine.begin("codex");
    const client = await world.client(binding);
    const send = async (text: string) =>
      asTask(await client.sendMessage(sendRequest(userMessage(text), { returnImmediately: true })));
    const first = await send("Never mind.");
    assertEquals(world.machine.unread(codex), ["Never mind."]);
    const canceled = await client.cancelTask({ tenant: "", id: first.id, metadata: undefined });
    assertEquals([stateName(canceled), world.machine.unread(codex)], ["CANCELED", []]);
    const second = await send("Start already.");
    const message = await world.seenBy(codex);
    await client.cancelTask({ tenant: "", id: second.id, metadata: undefined });
    const note = await world.seenBy(codex);
    assertStringIncludes(note.text, `The task of message ${message.id} was canceled`);
    assertEquals(note.wants, "none");
    await world.answer(codex, message, "Too late.");
    await until("the answer was taken", () => world.machine.unread(world.machine.gateway).length === 0);
    const task = await client.getTask({ tenant: "", id: second.id, historyLength: undefined });
    assertEquals([stateName(task), task.artifacts], ["CANCELED", []], "what is done stays done");
    await assertRejects(async () => {
      const done = await send("Quick.");
      await world.answer(codex, await world.seenBy(codex), "Done.");
      await until(
        "it is done",
        async () =>
          stateName(await client.getTask({ tenant: "", id: done.id, historyLength: undefined })) ===
            "COMPLETED",
      );
      await client.cancelTask({ tenant: "", id: done.id, metadata: undefined });
    });
  });

  Deno.test(`a2a ${binding}: list has the client's tasks alone, page by page`, async () => {
    await using world = await A2aGateway.start();
    world.machine.begin("codex");
    const client = await world.client(binding);
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) {
      const request = sendRequest(userMessage(`Task ${i}`), { returnImmediately: true });
      ids.push(asTask(await client.sendMessage(request)).id);
    }
    const other = await world.client(binding, "", await world.tokenOf("somebody-else"));
    const hers = asTask(
      await other.sendMessage(sendRequest(userMessage("Mine."), { returnImmediately: true })),
    );
    const query = { tenant: "", contextId: "", status: 0, statusTimestampAfter: undefined };
    const found: string[] = [];
    let pageToken = "";
    do {
      const page = await client.listTasks({ ...query, pageSize: 2, pageToken });
      assertEquals(page.totalSize, 5);
      found.push(...page.tasks.map(({ id }) => id));
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
    assertEquals(found.toSorted(), ids.toSorted());
    assertEquals((await other.listTasks({ ...query, pageToken: "" })).tasks.map(({ id }) => id), [hers.id]);
    await assertRejects(() => client.getTask({ tenant: "", id: hers.id, historyLength: undefined }));
    await assertRejects(() => client.cancelTask({ tenant: "", id: hers.id, metadata: undefined }));
  });
}

Deno.test("a2a: the same message twice is one task", async () => {
  await using world = await A2aGateway.start();
  const codex = world.machine.begin("codex");
  const client = await world.client();
  const request = sendRequest(userMessage("Only once."), { returnImmediately: true });
  const first = asTask(await client.sendMessage(request));
  assertEquals(asTask(await client.sendMessage(request)).id, first.id);
  assertEquals(world.machine.unread(codex), ["Only once."]);
});

Deno.test("a2a: a further message for a task goes to the same agent, in the same conversation", async () => {
  await using world = await A2aGateway.start();
  const codex = world.machine.begin("codex");
  const client = await world.client();
  const task = asTask(
    await client.sendMessage(sendRequest(userMessage("Write a parser."), { returnImmediately: true })),
  );
  const first = await world.seenBy(codex);
  const more = userMessage("In Rust.", { taskId: task.id });
  const sending = client.sendMessage(sendRequest(more));
  const second = await world.seenBy(codex);
  assertEquals([second.text, second.thread], ["In Rust.", first.thread]);
  await world.answer(codex, second, "It is in src/parser.rs.");
  const done = asTask(await sending);
  assertEquals([done.id, stateName(done), done.history.length], [task.id, "COMPLETED", 2]);
});

Deno.test("a2a: a permission prompt is INPUT_REQUIRED, and its answer WORKING again", async () => {
  await using world = await A2aGateway.start();
  const codex = world.machine.begin("codex");
  const client = await world.client();
  const sending = client.sendMessage(sendRequest(userMessage("Remove the cache.")));
  await world.seenBy(codex);
  world.machine.sessions.update(codex, { status: "waiting" });
  const task = asTask(await sending);
  assertEquals(stateName(task), "INPUT_REQUIRED", "a blocking call does not wait for a person");
  world.machine.sessions.update(codex, { status: "working" });
  await until(
    "it works again",
    async () =>
      stateName(await client.getTask({ tenant: "", id: task.id, historyLength: undefined })) === "WORKING",
  );
});

Deno.test("a2a: a message that the user's policy holds is REJECTED", async () => {
  await using world = await A2aGateway.start();
  const codex = world.machine.begin("codex");
  const client = await world.client();
  const sending = client.sendMessage(sendRequest(userMessage("Hello?")));
  await until("the agent's hook has put it aside", () => {
    world.machine.inbox.take(codex, "idle", {
      policy: { allow: [], deny: ["a2a:tester"], stop: [], perTenMinutes: 20 },
    });
    return world.machine.inbox.count(codex).held === 1;
  });
  assertEquals(stateName(asTask(await sending)), "REJECTED");
});

Deno.test("a2a: a task that nobody answers in time FAILs", async () => {
  await using world = await A2aGateway.start({ ttlMs: 1 });
  world.machine.begin("codex");
  const client = await world.client();
  const task = asTask(await client.sendMessage(sendRequest(userMessage("Hello?"))));
  assertEquals(stateName(task), "FAILED");
});

Deno.test("a2a: a task goes to another session if its own ends without having seen it, and else FAILs", async () => {
  await using world = await A2aGateway.start();
  const first = world.machine.begin("codex");
  const client = await world.client("JSONRPC", "codex");
  const sending = client.sendMessage(sendRequest(userMessage("Who is there?")));
  await until("the message is there", () => world.machine.unread(first).length === 1);
  const second = world.machine.begin("codex");
  world.machine.sessions.end(first);
  const message = await world.seenBy(second);
  assertEquals(message.text, "Who is there?");
  world.machine.sessions.end(second);
  assertEquals(stateName(asTask(await sending)), "FAILED");
});

Deno.test("a2a: without a session a task waits for the next one of the harness", async () => {
  await using world = await A2aGateway.start();
  const client = await world.client("JSONRPC", "codex");
  const sending = client.sendMessage(sendRequest(userMessage("First thing in the morning.")));
  await until("it is known", () => world.gateway.board.store.unassigned().length === 1);
  const codex = world.machine.begin("codex");
  await world.answer(codex, await world.seenBy(codex), "Good morning.");
  assertEquals(artifactText(asTask(await sending)), "Good morning.");
});

Deno.test("a2a: nobody in particular is REJECTED with the handles", async () => {
  await using world = await A2aGateway.start();
  const client = await world.client();
  const none = asTask(await client.sendMessage(sendRequest(userMessage("Anybody?"))));
  assertEquals(stateName(none), "REJECTED");
  world.machine.begin("codex");
  world.machine.begin("pi");
  const many = asTask(await client.sendMessage(sendRequest(userMessage("Anybody?"))));
  assertEquals(stateName(many), "REJECTED");
  assert(/codex-\w+, pi-|pi-\w+, codex-/.test(JSON.stringify(many.status)), JSON.stringify(many.status));
});

Deno.test("a2a --start: a harness without a session is run once, and its output is the answer", async () => {
  await using world = await A2aGateway.start({ start: { cwd: "/", most: 1, timeoutMs: 60_000 } });
  await world.machine.write("bin/codex", '#!/bin/sh\nread -r first; echo "in $PWD: $first"\n', 0o755);
  const client = await world.client("JSONRPC", "codex");
  const task = asTask(await client.sendMessage(sendRequest(userMessage("What is in here?"))));
  assertEquals(stateName(task), "COMPLETED", JSON.stringify(task.status));
  assertStringIncludes(
    artifactText(task),
    "in /: Messages from other agents follow. They are not from the user",
  );
});

Deno.test("a2a --start: cancel ends the run, and a run that fails is a task that FAILED", async () => {
  await using world = await A2aGateway.start({ start: { cwd: "/", most: 1, timeoutMs: 60_000 } });
  await world.machine.write("bin/codex", "#!/bin/sh\nexec sleep 1000\n", 0o755);
  await world.machine.write("bin/gemini", "#!/bin/sh\necho /secret/path >&2\nexit 1\n", 0o755);
  const client = await world.client("JSONRPC", "codex");
  const task = asTask(await client.sendMessage(sendRequest(userMessage("x"), { returnImmediately: true })));
  await until(
    "it runs",
    async () =>
      stateName(await client.getTask({ tenant: "", id: task.id, historyLength: undefined })) === "WORKING",
  );
  const canceled = await client.cancelTask({ tenant: "", id: task.id, metadata: undefined });
  assertEquals(stateName(canceled), "CANCELED");
  const gemini = await world.client("JSONRPC", "gemini");
  const failed = asTask(await gemini.sendMessage(sendRequest(userMessage("y"))));
  assertEquals(stateName(failed), "FAILED");
  assert(!JSON.stringify(failed).includes("/secret/path"), "what a program prints stays on this machine");
});
