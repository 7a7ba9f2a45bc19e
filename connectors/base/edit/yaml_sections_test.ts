import { assert, assertEquals } from "@std/assert";
import { applyEdits, readConfig } from "./config.ts";
import type { Edit } from "./edit.ts";
import { readConcernedSections } from "./yaml_sections.ts";
import { verify } from "../install/verify.ts";

const edit: Edit = {
  kind: "item",
  path: ["hooks", "start"],
  value: { command: "OURS" },
  owns: (value) => JSON.stringify(value).includes("OURS"),
};
const section = (i: number) =>
  `section_${i}:\n  name: "value ${i}" # note\n  text: |\n    hooks:\n      start: not yaml\n`;
const filler = Array.from({ length: 2000 }, (_, i) => section(i)).join("");

const LARGE: Record<string, string> = {
  "with hooks in the middle": filler + "hooks:\n  start:\n    - lint\n" +
    filler.replaceAll("section_", "more_"),
  "without hooks": filler,
  "with an anchor in the hooks": "all: &all [a]\n" + filler + "hooks:\n  start: *all\n",
  "with quoted keys": filler + '"hooks":\n  start: [lint]\n',
  "with a flow value over several lines": filler + "list: [a,\n  b]\nhooks: {start: [x]}\n",
  "without a final line break": filler + "hooks:\n  start: lint",
  "with CRLF": (filler + "hooks:\n  start: lint\n").replaceAll("\n", "\r\n"),
};

for (const [name, text] of Object.entries(LARGE)) {
  Deno.test(`applyEdits() in a large YAML file ${name} does what it does in a small one`, () => {
    const before = readConfig("yaml", text);
    assert(before.kind === "parsed");
    const done = applyEdits("yaml", text, [edit]);
    assertEquals(verify("yaml", text, done.text, [edit], { installed: true }), undefined);
    assertEquals(applyEdits("yaml", done.text, [edit]).changed, false);
  });
}

Deno.test("readConcernedSections() keeps offsets correct, and returns undefined for other layouts", () => {
  const text = LARGE["with hooks in the middle"] ?? "";
  const tree = readConcernedSections(text, (key) => key === "hooks");
  const hooks = tree?.entries.find(({ key }) => key === "hooks");
  assertEquals(text.slice(hooks?.start, hooks?.value.end), "hooks:\n  start:\n    - lint");
  for (const odd of ["with an anchor in the hooks", "with quoted keys"]) {
    assertEquals(readConcernedSections(LARGE[odd] ?? "", (key) => key === "hooks"), undefined, odd);
  }
});
