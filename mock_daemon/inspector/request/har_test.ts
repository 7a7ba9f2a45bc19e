import { assertEquals } from "@std/assert";
import { createMockDaemon } from "../../mod.ts";
import { toHar, toJsonLines } from "./har.js";

async function recorded() {
  const daemon = createMockDaemon();
  const post = async (path: string, body: string) => {
    const response = await daemon.app.request(path, { method: "POST", body });
    await response.body?.cancel();
  };
  await post("/api/hooks/session-start?x=1", '{"harness":"pi","note":"größe"}');
  await post("/api/hooks/session-start", "{");
  await (await daemon.app.request("/health")).body?.cancel();
  const requests = daemon.requests();
  daemon.close();
  return requests;
}

Deno.test("toHar() has every field that HAR 1.2 requires", async () => {
  const requests = await recorded();
  const { log } = toHar(requests, "http://127.0.0.1:3850");
  assertEquals([log.version, typeof log.creator.name, typeof log.creator.version], [
    "1.2",
    "string",
    "string",
  ]);
  assertEquals(log.entries.length, 3);
  for (const [index, entry] of log.entries.entries()) {
    const required = {
      entry: ["startedDateTime", "time", "request", "response", "cache", "timings"],
      request: [
        "method",
        "url",
        "httpVersion",
        "cookies",
        "headers",
        "queryString",
        "headersSize",
        "bodySize",
      ],
      response: [
        "status",
        "statusText",
        "httpVersion",
        "cookies",
        "headers",
        "content",
        "redirectURL",
        "headersSize",
        "bodySize",
      ],
    };
    const missing = [
      ...required.entry.filter((name) => !(name in entry)),
      ...required.request.filter((name) => !(name in entry.request)),
      ...required.response.filter((name) => !(name in entry.response)),
    ];
    assertEquals(missing, []);
    assertEquals(new Date(entry.startedDateTime).toISOString(), requests[index]?.at);
    assertEquals(entry.time, entry.timings.send + entry.timings.wait + entry.timings.receive);
  }
  const [start, bad, health] = log.entries;
  assertEquals(start?.request.url, "http://127.0.0.1:3850/api/hooks/session-start?x=1");
  assertEquals(start?.request.queryString, [{ name: "x", value: "1" }]);
  assertEquals(start?.request.postData?.text, '{"harness":"pi","note":"größe"}');
  assertEquals([bad?.response.status, bad?.request.postData?.text], [500, "{"]);
  assertEquals(health?.request.postData, undefined);
});

Deno.test("toJsonLines() has one line for each request", async () => {
  const requests = await recorded();
  const lines = toJsonLines(requests).trimEnd().split("\n");
  assertEquals(lines.map((line: string) => JSON.parse(line)), JSON.parse(JSON.stringify(requests)));
});
