import { assertEquals, assertGreater } from "@std/assert";
import { load } from "./load.ts";
import { newKey, serve } from "./mod.ts";

Deno.test("mock daemon takes 200 hook requests a second without an error", async () => {
  const key = newKey();
  const server = serve({ auth: "team", adminKey: key });
  try {
    const figures = await load(server.url, key, 200, Deno.env.get("SIGNET_TEST_DEEP") ? 60 : 3);
    assertEquals(figures.errors, 0);
    assertGreater(figures.perSecond, 150);
  } finally {
    await server.shutdown();
  }
});
