import { assertEquals } from "@std/assert";
import { readTree, writeOps } from "../../config.ts";

Deno.test("a map that comes back at the end of a file without a final line break begins on a line of its own", () => {
  const text = "model: ours # mine\nservers:\n  ours: x";
  const root = readTree("yaml", text);
  const [model] = root.entries;
  if (model === undefined) throw new Error("There is no model.");
  const written = writeOps("yaml", text, root, [
    { kind: "replace", node: model.value, value: { a: 1 } },
    { kind: "drop", node: root, indexes: new Set([1]) },
  ]);
  assertEquals(written, "model: # mine\n  a: 1\n");
});
