import { assertEquals } from "@std/assert";
import { ompEditTargets } from "./omp_edit.ts";

const CASES: [title: string, input: Record<string, unknown>, paths: (string | undefined)[]][] = [
  ["a text", { path: "a.ts", old_string: "[b.ts#1f3a]", new_string: "x" }, ["a.ts"]],
  ["a diff that renames", { path: "a.ts", edits: [{ op: "update", rename: "b.ts" }, {}, null] }, [
    "a.ts",
    "b.ts",
  ]],
  ["a patch", {
    input:
      "*** Begin Patch\n*** Update File: a.ts\n*** Move to: b.ts\n@@\n [section]\n-x\n+y\n*** End Patch\n",
  }, ["a.ts", "b.ts"]],
  ["lines", { input: "*** Begin Patch\n[a.ts#1f3a]\nPUT 3.=3:\n+[not-a-file]\n+MV c\n*** End Patch" }, [
    "a.ts",
  ]],
  ["lines without a frame, of several files", {
    input:
      "\n[src/a b.ts#1F3A]\nCUT 1*\nMV 'src/c.ts'\r\n[app/[id]/page.ts#00ff]\nREM\n[new.ts]\nPUT >$:\n+x",
  }, ["src/a b.ts", "src/c.ts", "app/[id]/page.ts", "new.ts"]],
  ["anchors", {
    input:
      '<SM:EDIT path="a.ts" all>\n<SM:FIND>\n[b.ts#1f3a]\n</SM:FIND>\n<SM:PUT>\n</SM:PUT>\n</SM:EDIT>\n' +
      "  <SM:EDIT all path='c.ts'>\n",
  }, ["a.ts", "c.ts"]],
  ["something else", { input: "change a.ts, please" }, [undefined]],
  ["nothing", {}, [undefined]],
  ["no text", { input: 7, path: null }, [undefined]],
];

for (const [title, input, paths] of CASES) {
  Deno.test(`ompEditTargets() finds the files of an edit by ${title}`, () => {
    assertEquals(ompEditTargets(input), paths);
  });
}

Deno.test("ompEditTargets() takes linear time for a hostile input", () => {
  for (const part of ["\n", " ", "[", "<SM:EDIT ", "[a#", "MV ", "*** ", " path="]) {
    assertEquals(ompEditTargets({ input: part.repeat(200_000) }).length > 0, true);
    assertEquals(ompEditTargets({ input: `${part}\n`.repeat(100_000) }).length > 0, true);
  }
});
