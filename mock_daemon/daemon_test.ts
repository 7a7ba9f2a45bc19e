import { assertEquals } from "@std/assert";
import { createMockDaemon, newKey } from "./mod.ts";

Deno.test("stop() makes every route but /health answer 503", async () => {
  const daemon = createMockDaemon({ adminKey: newKey() });
  daemon.stop();
  const health = await (await daemon.app.request("/health")).json();
  assertEquals([health.status, health.shuttingDown], ["healthy", true]);
  const response = await daemon.app.request("/api/status");
  assertEquals([response.status, await response.json()], [503, { error: "shutting down" }]);
  daemon.close();
});
