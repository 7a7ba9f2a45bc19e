import { assertEquals, assertThrows } from "@std/assert";
import { normalizeBundle } from "./normalize_bundle.ts";

/** A bundle as written in one place; only the path and the hashes differ between places. */
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

Deno.test("normalizeBundle() gives the same bundle for the same sources in two places", () => {
  const here = normalizeBundle(
    bundleFrom("../.cache/deno/npm/one.example", ["AAAAAAAA", "BBBBBBBB", "CCCCCCCC"]),
    "../.cache/deno/npm",
  );
  const there = normalizeBundle(
    bundleFrom("../../dd/npm/two.example", ["ZZZZZZZZ", "YYYYYYYY", "XXXXXXXX"]),
    "../../dd/npm",
  );
  assertEquals([...here], [...there]);
  assertEquals([...here.keys()].sort(), ["chunk_1.js", "chunk_2.js", "cli_1.js", "main.js"]);
});

Deno.test("normalizeBundle() keeps every import pointing at its file", () => {
  const files = normalizeBundle(bundleFrom("../npm/r", ["AAAAAAAA", "ZZZZZZZZ", "BBBBBBBB"]), "../npm");
  assertEquals(files.get("main.js"), '// connectors/pi/main.ts\nawait import("./cli_1.js");\n');
  assertEquals(files.get("chunk_1.js"), "export const a = 1;\n");
  assertEquals(
    files.get("cli_1.js"),
    'import "./chunk_1.js";\nimport "./chunk_2.js";\n// npm/yaml/2.9.1/dist/index.js\nvar y = { "npm/yaml/2.9.1/dist/index.js"() {} };\n',
  );
});

Deno.test("normalizeBundle() rejects a bundle that contains a path outside the tree", () => {
  for (const path of ["../elsewhere/x.js", "/home/u/x.js", "C:\\u\\x.js"]) {
    assertThrows(() => normalizeBundle(new Map([["main.js", `// ${path}\n`]]), "../npm"), Error, path);
  }
});
