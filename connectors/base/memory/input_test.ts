import { assertEquals } from "@std/assert";
import { inputText } from "./input.ts";

function stdin(text: string, terminal = false) {
  return { isTerminal: () => terminal, readable: new Blob([text]).stream() };
}

Deno.test("inputText() uses the arguments, then standard input, and never waits at a terminal", async () => {
  assertEquals(await inputText(["the", "db is heron"], stdin("not read")), "the db is heron");
  assertEquals(await inputText([], stdin("from a pipe ü\n")), "from a pipe ü\n");
  assertEquals(await inputText(["-"], stdin("from a pipe")), "from a pipe");
  assertEquals(await inputText([], stdin("typed", true)), "");
});
