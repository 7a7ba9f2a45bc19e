import { assertEquals } from "@std/assert";
import { DEEP } from "../connectors/base/testing/deep.ts";
import { load } from "./load.ts";
import { newKey, serve } from "./mod.ts";

// Speed is not asserted here, because other tests share the cores; `deno task load` prints it.
Deno.test("load() sends 200 hook requests per second without an error", async () => {
  const seconds = DEEP ? 60 : 1;
  const key = newKey();
  const server = serve({ auth: "team", adminKey: key });
  try {
    const { requests, errors } = await load(server.url, key, 200, seconds);
    assertEquals({ requests, errors }, { requests: 200 * seconds, errors: 0 });
  } finally {
    await server.shutdown();
  }
});
