import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { DatabaseSync } from "node:sqlite";
import { UserError } from "../cli/command.ts";
import { searchExpression } from "./search_query.ts";

Deno.test("searchExpression() quotes every term and knows AND, OR, phrases and beginnings", () => {
  const cases: [input: string, expression: string][] = [
    ["lock timeout", '("lock" AND "timeout")'],
    ["lock AND timeout", '("lock" AND "timeout")'],
    ["a b OR c", '("a" AND "b") OR ("c")'],
    ['"lock timeout" OR lease', '("lock timeout") OR ("lease")'],
    ["auth*", '("auth*"*)'],
    ['"session ke"*', '("session ke"*)'],
    ["a* **b*", '("a*" AND "**b*")'],
    ['"never closed', '("never closed")'],
    ["OR OR a OR", '("a")'],
    ["and or not", '("and" AND "or" AND "not")'],
    ["*** a ()", '("a")'],
    ["text:a ^b c-d", '("text:a" AND "^b" AND "c-d")'],
  ];
  for (const [input, expression] of cases) assertEquals(searchExpression(input), expression);
});

Deno.test("searchExpression() refuses what has no word, and too many words", () => {
  for (const input of ["", "   ", "***", "OR AND", '""', "\0", "a ".repeat(65)]) {
    assertThrows(() => searchExpression(input), UserError);
  }
});

Deno.test("searchExpression() never makes an error of syntax", () => {
  using database = disposable(new DatabaseSync(":memory:"));
  database.exec("create virtual table words using fts5 (text)");
  const query = database.prepare("select rowid from words where words match ?");
  const pieces = fc.constantFrom(
    '"',
    "'",
    "*",
    "(",
    ")",
    "NEAR(",
    "OR",
    "AND",
    "NOT",
    "^",
    ":",
    "-",
    "+",
    "{",
    "}",
    " ",
    "\0",
    "a",
    "é",
    "中",
    "\ud800",
    "\\",
  );
  const input = fc.oneof(
    fc.string(),
    fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
    fc.array(pieces).map((all) => all.join("")),
  );
  fc.assert(fc.property(input, (text) => {
    try {
      query.all(searchExpression(text));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
    }
  }));
});

function disposable(database: DatabaseSync): DatabaseSync & Disposable {
  return Object.assign(database, { [Symbol.dispose]: () => database.close() });
}
