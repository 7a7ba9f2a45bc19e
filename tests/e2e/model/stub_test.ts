import { assertEquals, assertStringIncludes } from "@std/assert";
import { startModelStub } from "./stub.ts";
import { callToolOnce, inOrder, REPLY } from "./turn.ts";

const APIS: [string, string, (stream: boolean) => { path: string; body: Record<string, unknown> }][] = [
  [
    "anthropic",
    "tool_use",
    (stream) => ({ path: "/v1/messages", body: { model: "m", stream, say: "MARK" } }),
  ],
  [
    "responses",
    "function_call",
    (stream) => ({ path: "/v1/responses", body: { model: "m", stream, say: "MARK" } }),
  ],
  [
    "chat",
    "tool_calls",
    (stream) => ({ path: "/v1/chat/completions", body: { model: "m", stream, say: "MARK" } }),
  ],
  ["gemini", "functionCall", (stream) => ({
    path: `/v1beta/models/m:${stream ? "streamGenerateContent" : "generateContent"}`,
    body: { say: "MARK" },
  })],
];

for (const [api, call, request] of APIS) {
  for (const stream of [false, true]) {
    Deno.test(`model stub speaks ${api}${stream ? " as a stream" : ""}: a tool call once, then text`, async () => {
      await using stub = startModelStub();
      stub.script = callToolOnce("MARK", { name: "memory_search", input: { query: "breakfast" } });
      const { path, body } = request(stream);
      const ask = async () => {
        const answer = await fetch(stub.url + path, { method: "POST", body: JSON.stringify(body) });
        assertEquals(answer.headers.get("content-type")?.includes("event-stream"), stream);
        return await answer.text();
      };
      const first = await ask();
      assertStringIncludes(first, call);
      assertStringIncludes(first, "memory_search");
      assertStringIncludes(await ask(), REPLY);
      assertEquals(stub.requests.map((each) => [each.api, each.raw]), [
        [api, JSON.stringify(body)],
        [api, JSON.stringify(body)],
      ]);
    });
  }
}

Deno.test("inOrder() keeps its turns for requests that hold the marker", () => {
  const script = inOrder("MARK", [{ text: "one" }, { text: "two" }]);
  const said = ["a title", "MARK", "another title", "MARK", "MARK"].map((raw) =>
    script({ api: "chat", path: "", raw, body: {} }).text
  );
  assertEquals(said, [REPLY, "one", REPLY, "two", REPLY]);
});

Deno.test("model stub lists what it does not serve", async () => {
  await using stub = startModelStub();
  const answer = await fetch(`${stub.url}/v2/else`);
  await answer.body?.cancel();
  assertEquals([answer.status, stub.unknown], [404, ["GET /v2/else"]]);
});
