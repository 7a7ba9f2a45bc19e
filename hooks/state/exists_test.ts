import { assertEquals } from "@std/assert";
import { exists } from "./exists.ts";

Deno.test("exists() is false for what is not there or cannot be reached", async () => {
  const dir = await Deno.makeTempDir();
  Deno.symlinkSync(`${dir}/nothing`, `${dir}/link`);
  assertEquals(
    [dir, `${dir}/nothing`, `${dir}/link`, `${dir}/\0`, ""].map(exists),
    [true, false, false, false, false],
  );
  Deno.removeSync(dir, { recursive: true });
});

Deno.test({
  name: "exists() is false for what this program may not look at",
  permissions: { read: false },
  fn: () => assertEquals(["/", ""].map(exists), [false, false]),
});
