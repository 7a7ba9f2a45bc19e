import { assertEquals } from "@std/assert";
import { generatedHeader, isGenerated, withoutDateLine } from "./header.ts";

const at = (date: string) =>
  generatedHeader("/w/AGENTS.md", "/w", new Date(date)) + "body\n# Generated: mine\n";

Deno.test("generatedHeader() is Signet's five lines and a blank one", () => {
  assertEquals(
    generatedHeader("/w/AGENTS.md", "/w", new Date(0)),
    "# Auto-generated from /w/AGENTS.md\n# Source: /w/AGENTS.md\n# Generated: 1970-01-01T00:00:00.000Z\n" +
      "# DO NOT EDIT - changes will be overwritten\n# Edit the source files in /w/ instead\n\n",
  );
  assertEquals(generatedHeader("/w\n# evil\r/A", "/w\n", new Date(0)).split("\n").length, 7);
});

Deno.test("isGenerated() recognises a generated file by its first lines only", () => {
  const text = at("2026-01-01");
  const cases: [string, boolean][] = [
    [text, true],
    ["\uFEFF" + text, true],
    [text.replaceAll("\n", "\r\n"), true],
    ["", false],
    ["# My notes about Signet\n", false],
    ["# Auto-generated from a template\nbut mine\n", false],
    ["1\n2\n3\n4\n5\n6\n" + text, false],
  ];
  for (const [sample, expected] of cases) assertEquals(isGenerated(sample), expected, sample);
});

Deno.test("withoutDateLine() makes two generations equal and nothing else", () => {
  assertEquals(withoutDateLine(at("2026-01-01")), withoutDateLine(at("2027-01-01")));
  assertEquals(withoutDateLine(at("2026-01-01")).includes("# Generated: mine"), true);
  assertEquals(withoutDateLine("# Generated: x\nuser\n"), "# Generated: x\nuser\n");
});
