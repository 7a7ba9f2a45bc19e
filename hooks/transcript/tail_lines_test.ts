import { assertEquals } from "@std/assert";
import { type TailFile, tailLines } from "./tail_lines.ts";

function file(text: string): TailFile {
  const bytes = new TextEncoder().encode(text);
  return {
    size: bytes.length,
    read(into, offset) {
      const part = bytes.subarray(offset, offset + into.length);
      into.set(part);
      return Promise.resolve(part.length);
    },
  };
}

async function all(tail: TailFile, maxBytes = 1e9): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of tailLines(tail, maxBytes)) lines.push(line);
  return lines;
}

Deno.test("tailLines() gives the lines of a file backwards, without empty ones", async () => {
  const long = "ä".repeat(400_000);
  const texts = ["", "a", "a\nb", "a\nb\n", "\n", "\n\n", `x\n${long}\ny`, `${"line\n".repeat(200_000)}end`];
  for (const text of texts) {
    assertEquals(
      await all(file(text)),
      text.split("\n").reverse().filter((line) => line !== ""),
    );
  }
});

Deno.test("tailLines() gives a line beyond a megabyte as an empty one", async () => {
  assertEquals(await all(file(`first\n${"x".repeat(1_500_000)}\nlast`)), ["last", "", "first"]);
});

Deno.test("tailLines() reads no further back than it may, and gives no half line", async () => {
  assertEquals(await all(file("aaaa\nbbbb\ncccc"), 7), ["cccc"]);
});

Deno.test("tailLines() stops when the file has shrunk", async () => {
  const shrunk = file("a\nb\nc");
  assertEquals(await all({ ...shrunk, size: 1000 }), []);
});
