import { assertEquals, assertThrows } from "@std/assert";
import { settleBundle } from "./bundle_names.ts";

/** The bundle as the bundler writes it from one place: the path and the hashes differ, nothing else. */
function bundleFrom(cache: string, hashes: [string, string, string]): Map<string, string> {
  const [cli, one, two] = hashes;
  return new Map([
    ["main.js", `// connectors/pi/main.ts\nawait import("./cli-${cli}.js");\n`],
    [
      `cli-${cli}.js`,
      `import "./chunk-${one}.js";\nimport "./chunk-${two}.js";\n` +
      `// ${cache}/yaml/2.9.1/dist/index.js\nvar y = { "${cache}/yaml/2.9.1/dist/index.js"() {} };\n`,
    ],
    [`chunk-${one}.js`, "export const a = 1;\n"],
    [`chunk-${two}.js`, "export const b = 2;\n"],
  ]);
}

Deno.test("settleBundle() gives one bundle for the same sources in two places", () => {
  const here = settleBundle(
    bundleFrom("../.cache/deno/npm/one.example", ["AAAAAAAA", "BBBBBBBB", "CCCCCCCC"]),
    "../.cache/deno/npm",
  );
  const there = settleBundle(
    bundleFrom("../../dd/npm/two.example", ["ZZZZZZZZ", "YYYYYYYY", "XXXXXXXX"]),
    "../../dd/npm",
  );
  assertEquals([...here], [...there]);
  assertEquals([...here.keys()].sort(), ["chunk_1.js", "chunk_2.js", "cli_1.js", "main.js"]);
});

Deno.test("settleBundle() keeps every import pointing at its file", () => {
  const files = settleBundle(bundleFrom("../npm/r", ["AAAAAAAA", "ZZZZZZZZ", "BBBBBBBB"]), "../npm");
  assertEquals(files.get("main.js"), '// connectors/pi/main.ts\nawait import("./cli_1.js");\n');
  assertEquals(files.get("chunk_1.js"), "export const a = 1;\n");
  assertEquals(
    files.get("cli_1.js"),
    'import "./chunk_1.js";\nimport "./chunk_2.js";\n// npm/yaml/2.9.1/dist/index.js\nvar y = { "npm/yaml/2.9.1/dist/index.js"() {} };\n',
  );
});

Deno.test("settleBundle() refuses a bundle that names a place on this machine", () => {
  for (const path of ["../elsewhere/x.js", "/home/u/x.js", "C:\\u\\x.js"]) {
    assertThrows(() => settleBundle(new Map([["main.js", `// ${path}\n`]]), "../npm"), Error, path);
  }
});
