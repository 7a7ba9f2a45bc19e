import { assertEquals } from "@std/assert";
import { HARNESS_LOADERS } from "./harness_loaders.ts";
import { HARNESSES } from "./registry.ts";

Deno.test("HARNESS_LOADERS loads every harness by the id in its program's name", async () => {
  assertEquals([...HARNESS_LOADERS.keys()], HARNESSES.map(({ id }) => id));
  for (const harness of HARNESSES) {
    assertEquals(await HARNESS_LOADERS.get(harness.id)?.(), harness);
    assertEquals(harness.binary, `signet-${harness.id}`);
  }
});
