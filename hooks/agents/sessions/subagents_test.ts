import { assertEquals } from "@std/assert";
import { Subagents } from "./subagents.ts";

Deno.test("Subagents counts those that run, and forgets the interrupted ones", async () => {
  const dir = await Deno.makeTempDir();
  try {
    const subagents = new Subagents(dir, { harness: "kimi", key: "../s" });
    subagents.ended();
    assertEquals(subagents.isRunning(), false);
    subagents.started();
    subagents.started();
    subagents.ended();
    assertEquals(subagents.isRunning(), true);
    assertEquals(new Subagents(dir, { harness: "kimi", key: "other" }).isRunning(), false);
    subagents.ended();
    assertEquals(subagents.isRunning(), false);
    subagents.started();
    subagents.clear();
    assertEquals(subagents.isRunning(), false);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});
