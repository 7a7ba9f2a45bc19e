import { assertEquals, assertStringIncludes } from "@std/assert";
import { ROOT } from "./worlds/built.ts";
import { roundTrip } from "./worlds/install/corpus.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

async function corpus(dir: string): Promise<{ code: number; out: string }> {
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", `${ROOT}/tests/corpus.ts`, dir],
    cwd: ROOT,
  }).output();
  return { code, out: new TextDecoder().decode(stdout) };
}

Deno.test("test:corpus brings every config of a directory back to the byte, and writes nothing there", async () => {
  const { code, out } = await corpus(`${ROOT}/tests/fixtures/configs`);
  assertEquals(code, 0, out);
  assertStringIncludes(out, "codex/config.toml (toml)");
  assertStringIncludes(out, "0 changed");
});

Deno.test("test:corpus names a file that cannot be edited, and fails for a directory without configs", async () => {
  const dir = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${dir}/notes.txt`, "no config");
    assertEquals((await corpus(dir)).code, 1);
    await Deno.writeTextFile(`${dir}/broken.yaml`, "a: [1\n");
    const { code, out } = await corpus(dir);
    assertEquals(code, 0);
    assertStringIncludes(out, `- ${dir}/broken.yaml (yaml): `);
    assertStringIncludes(out, "1 were refused and not touched");
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("roundTrip() chooses the format by name, and tries the variants of JSON", async () => {
  const kinds = async (path: string, text: string) => {
    const result = await roundTrip(path, bytes(text));
    return result && [result.kind, result.format];
  };
  assertEquals(await kinds("a.json", '{"a": 1}'), ["same", "json"]);
  assertEquals(await kinds("a.json", '{"a": 1} // mine\n'), ["same", "jsonc"]);
  assertEquals(await kinds("a.json", "{a: 0x1}"), ["same", "json5"]);
  assertEquals(await kinds("AGENTS.md", "# Mine"), ["same", "markdown"]);
  assertEquals(await kinds("a.toml", "a = = 1"), ["refused", "toml"]);
  assertEquals(await kinds("a.txt", "x"), undefined);
});
