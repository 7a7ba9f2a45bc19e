import { assertEquals } from "@std/assert";
import { load } from "./load.ts";
import { newKey, serve } from "./mod.ts";

// How many it takes in a second is for `deno task load` on a quiet machine: shared ones are noisy.
Deno.test("mock daemon takes hook traffic for seconds on end without an error", async () => {
  const key = newKey();
  const server = serve({ auth: "team", adminKey: key });
  try {
    const figures = await load(server.url, key, 200, Deno.env.get("SIGNET_TEST_DEEP") ? 60 : 3);
    assertEquals(figures.errors, 0);
  } finally {
    await server.shutdown();
  }
});
