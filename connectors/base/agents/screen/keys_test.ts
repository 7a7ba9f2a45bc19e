import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { type Key, KeyDecoder } from "./keys.ts";

function keysOf(...chunks: readonly string[]): string[] {
  const decoder = new KeyDecoder();
  const keys = chunks.flatMap((chunk) => decoder.push(new TextEncoder().encode(chunk)));
  return [...keys, ...decoder.flush()].map(nameOf);
}

function nameOf(key: Key): string {
  return key.kind === "key" ? key.name : `"${key.text}"`;
}

const CASES: readonly [sent: readonly string[], keys: readonly string[]][] = [
  [["jk"], ['"j"', '"k"']],
  [["\x1b[A\x1b[B\x1bOA\x1b[5~\x1b[6~"], ["up", "down", "up", "page-up", "page-down"]],
  [["\x1b[1;5A"], ["up"]],
  [["\x1b"], ["escape"]],
  [["\x1b[", "A"], ["up"]],
  [["\x1b", "[A"], ["up"]],
  [["\x1bq"], ["escape", '"q"']],
  [["\r\t\x7f\x03\x1b[Z"], ["enter", "tab", "backspace", "ctrl-c", "back-tab"]],
  [["\x1b[99~\x1b[?1;2c"], []],
  [["ä天🦕"], ['"ä"', '"天"', '"🦕"']],
  [["\x1b[200~rm -rf\nq\x1b[201~x"], ['"rm -rf\nq"', '"x"']],
  [["\x1b[200~a", "b", "c\x1b[201", "~"], ['"abc"']],
];

for (const [sent, keys] of CASES) {
  Deno.test(`KeyDecoder takes ${JSON.stringify(sent)} for ${keys.join(" ") || "nothing"}`, () => {
    assertEquals(keysOf(...sent), [...keys]);
  });
}

Deno.test("KeyDecoder joins a character that comes in two pieces", () => {
  const decoder = new KeyDecoder();
  const [first = 0, ...others] = new TextEncoder().encode("ä");
  assertEquals(decoder.push(new Uint8Array([first])), []);
  assertEquals(decoder.push(new Uint8Array(others)), [{ kind: "text", text: "ä" }]);
});

Deno.test("KeyDecoder takes any bytes, and leaves nothing behind but a paste", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
    const decoder = new KeyDecoder();
    decoder.push(bytes);
    decoder.flush();
    assertEquals(decoder.isUnfinished, false);
  }));
});

Deno.test("KeyDecoder never takes pasted letters for commands", () => {
  const paste = "q".repeat(300 * 1024);
  const keys = keysOf(`\x1b[200~${paste}`);
  assertEquals(keys.length, 1);
});
