import { assertEquals } from "@std/assert";
import { BLOCK_END, BLOCK_START } from "../identity/block.ts";
import type { Composed } from "../identity/compose.ts";
import { generatedHeader } from "../identity/header.ts";
import { type Current, decideBlock, decideOwn } from "./decide.ts";

const generated = (body: string, year = 2026) =>
  generatedHeader("/w/AGENTS.md", "/w", new Date(Date.UTC(year, 0))) + body;
const block = `${BLOCK_START}\nnew\n${BLOCK_END}`;
const composed: Composed = { text: generated("new\n"), block, sources: [], candidates: [], warnings: [] };
const file = (text: string | undefined, digest = "d"): Current => ({ kind: "file", text, digest });

Deno.test("decideOwn() writes only where there is no file, or one of ours", () => {
  const write = { kind: "write", text: composed.text, keepEdited: false };
  const cases: [string, Current, string | undefined, unknown][] = [
    ["no file", { kind: "absent" }, undefined, write],
    ["ours, as written", file(generated("old\n")), "d", write],
    ["ours, edited", file(generated("old\nmine\n"), "e"), "d", { ...write, keepEdited: true }],
    ["the same but for its date", file(generated("new\n", 2020)), "d", { kind: "unchanged" }],
    ["the same, unknown to the ledger", file(composed.text), undefined, { kind: "unchanged", adopt: "d" }],
  ];
  for (const [name, current, recorded, expected] of cases) {
    assertEquals(decideOwn(current, composed, recorded), expected as typeof write & { kind: "write" }, name);
  }
});

Deno.test("decideOwn() leaves every file that is not ours, by header and by ledger", () => {
  const cases: [string, Current, string | undefined][] = [
    ["the user's", file("# Mine, about Signet\n"), undefined],
    ["the user's, in the place of ours", file("# Mine\n", "e"), "d"],
    ["another connector's", file(generated("old\n")), undefined],
    ["no text", file(undefined, "e"), "d"],
    ["a directory", { kind: "untouchable", why: "it is a directory" }, "d"],
  ];
  for (const [name, current, recorded] of cases) {
    assertEquals(decideOwn(current, composed, recorded).kind, "leave", name);
  }
});

Deno.test("decideBlock() changes nothing outside the marks, and nothing at all where it cannot tell", () => {
  const text = `a\n${BLOCK_START}\nold\n${BLOCK_END}\nb\n`;
  assertEquals(decideBlock(file(text), composed), {
    kind: "write",
    text: `a\n${block}\nb\n`,
    keepEdited: false,
  });
  assertEquals(decideBlock(file(`a\n${block}\nb\n`), composed), { kind: "unchanged" });
  assertEquals(decideBlock({ kind: "absent" }, composed), {
    kind: "write",
    text: `${block}\n`,
    keepEdited: false,
  });
  assertEquals(decideBlock(file(undefined), composed).kind, "leave");
});
