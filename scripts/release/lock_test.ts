import { assertEquals, assertThrows } from "@std/assert";
import { readLock } from "./lock.ts";

Deno.test("readLock() reads scoped names, versions with peers, and direct dependencies", () => {
  const lock = {
    npm: {
      "@a/b@1.2.3_zod@4.0.0": { integrity: "sha512-AAAA", dependencies: ["zod", "c@2.0.0"] },
      "zod@4.0.0": { integrity: "sha512-BBBB" },
      "c@2.0.0": {},
    },
    workspace: { dependencies: ["npm:@a/b@1.2.3", "npm:zod@4"] },
  };
  assertEquals(readLock(JSON.stringify(lock)), {
    packages: [
      {
        name: "@a/b",
        version: "1.2.3",
        integrity: "sha512-AAAA",
        needs: [{ name: "zod", version: "" }, { name: "c", version: "2.0.0" }],
      },
      { name: "zod", version: "4.0.0", integrity: "sha512-BBBB", needs: [] },
      { name: "c", version: "2.0.0", integrity: undefined, needs: [] },
    ],
    direct: [{ name: "@a/b", version: "1.2.3" }, { name: "zod", version: "4" }],
  });
});

Deno.test("readLock() rejects a file that is not a lock", () => {
  assertThrows(() => readLock("{}"), Error, "deno.lock has no npm packages");
});
