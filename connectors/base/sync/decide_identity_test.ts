import { assertEquals } from "@std/assert";
import { BLOCK_END, BLOCK_START } from "../../../hooks/context_text/signet_block.ts";
import type { Composed } from "../identity/compose.ts";
import { generatedHeader } from "../identity/header.ts";
import { decideBlock, decideOwn, type IdentityFile } from "./decide_identity.ts";

const generated = (body: string, year = 2026) =>
  generatedHeader("/w/AGENTS.md", "/w", new Date(Date.UTC(year, 0))) + body;
const composed: Composed = {
  text: generated("new\n"),
  inner: "new",
  sources: [],
  warnings: [],
};
const file = (text: string | undefined, digest = "d"): IdentityFile => ({ kind: "file", text, digest });

Deno.test("decideOwn() writes only if there is no file, or a generated one in the ledger", () => {
  const cases: [string, IdentityFile, string[] | undefined, boolean][] = [
    ["no file", { kind: "absent" }, undefined, false],
    ["ours, as written", file(generated("old\n")), ["c", "d"], false],
    ["ours, edited", file(generated("old\nmine\n"), "e"), ["c", "d"], true],
    ["the same but for its date", file(generated("new\n", 2020), "e"), ["d"], false],
    ["the same, unknown to the ledger", file(composed.text), undefined, false],
  ];
  for (const [name, current, recorded, keepEdited] of cases) {
    assertEquals(decideOwn(current, composed, recorded), { kind: "put", keepEdited }, name);
  }
});

Deno.test("decideOwn() keeps every file without a header or a ledger record", () => {
  const cases: [string, IdentityFile, string[] | undefined][] = [
    ["the user's", file("# Mine, about Signet\n"), undefined],
    ["the user's, in the place of ours", file("# Mine\n", "e"), ["d"]],
    ["another connector's", file(generated("old\n")), undefined],
    ["no text", file(undefined, "e"), ["d"]],
    ["a directory", { kind: "untouchable", reason: "it is a directory" }, ["d"]],
  ];
  for (const [name, current, recorded] of cases) {
    assertEquals(decideOwn(current, composed, recorded).kind, "leave", name);
  }
});

Deno.test("decideBlock() keeps what it cannot edit safely", () => {
  const cases: [IdentityFile, "put" | "leave"][] = [
    [{ kind: "absent" }, "put"],
    [file("mine\n"), "put"],
    [file(`a\n${BLOCK_START}\nold\n${BLOCK_END}\nb\n`), "put"],
    [file(undefined), "leave"],
    [file(`a\n${BLOCK_START}\nno end\n`), "leave"],
    [{ kind: "untouchable", reason: "it is a directory" }, "leave"],
  ];
  for (const [current, kind] of cases) assertEquals(decideBlock(current, composed).kind, kind);
});
