import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { HARNESSES } from "../connectors/registry.ts";
import { plain } from "./docs/harness_docs.ts";
import { GENERATED, regenerate } from "./docs/generated.ts";

const read = (path: string) => Deno.readTextFile(new URL(`../${path}`, import.meta.url));

for (const path of GENERATED) {
  Deno.test(`${path}: the generated parts match the descriptors (deno task docs)`, async () => {
    const text = await read(path);
    assertEquals(text, await regenerate(path, text));
  });
}

Deno.test("docs/harnesses.md: every harness has a row in each table, and its limits in a section", async () => {
  const text = await read("docs/harnesses.md");
  const special = text.slice(text.indexOf("## What is special")).split(/^### /m).slice(1);
  assertEquals(
    special.map((section) => section.slice(0, section.indexOf("\n"))),
    HARNESSES.map(({ displayName }) => displayName),
  );
  for (const [at, { displayName, id, fidelity, assumed }] of HARNESSES.entries()) {
    const section = (special[at] ?? "").replaceAll(/\s+/g, " ");
    assertMatch(text, new RegExp(`^\\| ${displayName} +\\| \`${id}\``, "m"));
    for (const support of Object.values(fidelity)) {
      if (support !== "yes") {
        assertStringIncludes(section, plain("partly" in support ? support.partly : support.no));
      }
    }
    if (assumed) assertStringIncludes(section, plain(assumed));
  }
});

Deno.test("README.md: the matrix names every harness and links to its section", async () => {
  const text = await read("README.md");
  for (const { displayName, binary } of HARNESSES) {
    assert(
      text.split("\n").some((line) => line.startsWith(`| ${displayName} `) && line.includes(`\`${binary}\``)),
    );
  }
  assertStringIncludes(text, "(docs/harnesses.md)");
});
