import { assertEquals, assertNotEquals } from "@std/assert";
import { hashInputs, isCurrent, writeStamp } from "./stamp.ts";

const FILES = new Map([["main.js", "1"], ["cli_1.js", "2"]]);

Deno.test("hashInputs() changes with the sources, the flags and the runtime, not with their order", async () => {
  const hash = await hashInputs(FILES, ["--no-prompt"], "aa");
  assertEquals(await hashInputs(new Map([...FILES].reverse()), ["--no-prompt"], "aa"), hash);
  for (
    const other of [
      hashInputs(new Map([...FILES, ["main.js", "3"]]), ["--no-prompt"], "aa"),
      hashInputs(FILES, ["--allow-ffi"], "aa"),
      hashInputs(FILES, ["--no-prompt"], "bb"),
    ]
  ) assertNotEquals(await other, hash);
});

Deno.test("isCurrent() is true only for the stamped file and the same inputs", async () => {
  const output = `${await Deno.makeTempDir()}/signet-pi`;
  assertEquals(await isCurrent(output, "aa"), false);
  await Deno.writeTextFile(output, "binary");
  assertEquals(await isCurrent(output, "aa"), false);
  await writeStamp(output, "aa");
  assertEquals(await isCurrent(output, "aa"), true);
  assertEquals(await isCurrent(output, "bb"), false);
  await Deno.writeTextFile(output, "binary, changed");
  assertEquals(await isCurrent(output, "aa"), false);
});
