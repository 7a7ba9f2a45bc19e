import { assertEquals } from "@std/assert";
import { createMockDaemon, PROFILE_NAMES } from "../mod.ts";

/** Sends the same request until the status changes; returns how often the first came, and the second answer. */
async function repeat(send: () => Response | Promise<Response>, most: number) {
  const first = (await send()).status;
  for (let count = 1; count < most; count++) {
    const response = await send();
    if (response.status === first) continue;
    const after = response.headers.get("retry-after");
    return { first, count, second: response.status, text: await response.text(), after };
  }
  return { first, count: most };
}

for (const profile of PROFILE_NAMES) {
  Deno.test(`${profile}: too many changes and admin calls in a minute`, async () => {
    let now = Date.parse("2026-03-01T12:00:00Z");
    const daemon = createMockDaemon({ profile, auth: "team", clock: () => now });
    const headers = { authorization: `Bearer ${daemon.createToken({ role: "admin" })}` };
    const request = (method: string, path: string) => () => daemon.app.request(path, { method, headers });
    const lost = { second: 500, text: "Internal Server Error", after: "60" };
    const forget = request("DELETE", "/api/memory/none?reason=x");
    assertEquals(
      await repeat(forget, 40),
      profile === "design" ? { first: 404, count: 40 } : { first: 404, count: 30, ...lost },
    );
    now += 60_000;
    assertEquals((await forget()).status, 404);
    const list = await repeat(request("GET", "/api/auth/api-keys"), 12);
    assertEquals(
      list,
      {
        design: { first: 200, count: 12 },
        "0.145": { first: 200, count: 5, ...lost },
        "0.58": { first: 404, count: 12 },
      }[profile],
    );
    daemon.close();
  });
}

Deno.test("0.145: a key that is no admin's gets 500 without Retry-After", async () => {
  const daemon = createMockDaemon({ profile: "0.145", auth: "team" });
  const { key } = daemon.createKey({ name: "bob", role: "agent", scope: { agent: "bob" } });
  const response = await daemon.app.request("/api/auth/api-keys", {
    headers: { authorization: `Bearer ${key}` },
  });
  assertEquals(
    [response.status, response.headers.get("retry-after"), await response.text()],
    [500, null, "Internal Server Error"],
  );
  daemon.close();
});
