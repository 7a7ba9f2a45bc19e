import { assert, assertEquals, assertStringIncludes } from "@std/assert";
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

Deno.test("docs/harnesses.md: every connector has a section with its setup and its known limits", async () => {
  const text = await read("docs/harnesses.md");
  const sections = text.split(/^## /m).slice(1);
  assertEquals(
    sections.map((section) => section.slice(0, section.indexOf("\n"))),
    HARNESSES.map(({ displayName }) => displayName),
  );
  for (const [at, { binary, fidelity, assumed }] of HARNESSES.entries()) {
    const section = (sections[at] ?? "").replaceAll(/\s+/g, " ");
    const [setup = "", limits = ""] = section.split("### Known limits");
    assertStringIncludes(setup, `${binary} install --url `);
    for (const support of Object.values(fidelity)) {
      if (support !== "yes") {
        assertStringIncludes(limits, plain("partly" in support ? support.partly : support.no));
      }
    }
    if (assumed) assertStringIncludes(limits, plain(assumed));
    assert(limits.trim() !== "", binary);
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
