import { assertEquals } from "@std/assert";
import { Backoff } from "./backoff.ts";

Deno.test("Backoff waits longer each time, up to five minutes, and honours the daemon's wish", async () => {
  const dir = await Deno.makeTempDir();
  try {
    let now = 1e12;
    const backoff = new Backoff(dir, () => now);
    assertEquals(backoff.read().waitMs, 0);
    const waits: number[] = [];
    for (let i = 0; i < 9; i++) {
      backoff.failed("offline", "refused");
      waits.push(backoff.read().waitMs / 1000);
    }
    assertEquals(waits, [2, 4, 8, 16, 32, 64, 128, 256, 300]);
    backoff.failed("offline", "busy", 600_000);
    assertEquals(backoff.read().waitMs, 600_000);
    now += 600_000;
    assertEquals(backoff.read().waitMs, 0);
    now -= 1e11;
    assertEquals(backoff.read().waitMs, 0, "a clock that was set back stops nothing");
    backoff.clear();
    backoff.failed("held", "HTTP 401");
    assertEquals([backoff.read().kind, backoff.read().reason], ["held", "HTTP 401"]);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});
