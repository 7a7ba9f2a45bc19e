import { assertEquals } from "@std/assert";
import { type Input, readInput, type Source } from "./stdin.ts";

/** A pipe that gives these chunks and then closes, or does not. */
function pipe(chunks: (string | Uint8Array)[], end: "closed" | "open" | "broken" = "closed"): Source {
  const queue = chunks.map((chunk) => typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk);
  return {
    isTerminal: () => false,
    read(into) {
      const chunk = queue.shift();
      if (chunk === undefined) {
        if (end === "open") return new Promise(() => {});
        return end === "closed" ? Promise.resolve(null) : Promise.reject(new Error("broken pipe"));
      }
      const part = chunk.subarray(0, into.length);
      if (part.length < chunk.length) queue.unshift(chunk.subarray(part.length));
      into.set(part);
      return Promise.resolve(part.length);
    },
  };
}

const OBJECT: Input = { kind: "object", value: { a: 1, b: "}" } };
const MIB = 1024 * 1024;

const CASES: [string, Source, Input | string][] = [
  ["an object", pipe(['{"a":1,"b":"}"}']), OBJECT],
  ["an object with a newline after it", pipe(['{"a":1,"b":"}"}\n']), OBJECT],
  ["an object in pieces", pipe(['{"a":1', ',"b":"}', '"}']), OBJECT],
  ["an object after a byte order mark", pipe(['\ufeff{"a":1,"b":"}"}']), OBJECT],
  ["an object on a pipe that stays open", pipe(['{"a":1,"b":"}"}'], "open"), OBJECT],
  ["an object on a pipe that breaks", pipe(['{"a":1,"b":"}"}\u0020'], "broken"), OBJECT],
  [
    "a character cut in two",
    pipe([new Uint8Array([0x7b, 0x22, 0xc3]), new Uint8Array([0xa4, 0x22, 0x3a, 0x31, 0x7d])]),
    {
      kind: "object",
      value: { ä: 1 },
    },
  ],
  ["half an object on an open pipe", pipe(['{"a":'], "open"), "never closed"],
  ["nothing on an open pipe", pipe([], "open"), "never closed"],
  ["nothing", pipe([]), "empty"],
  ["a list", pipe(["[1]"]), "not an object"],
  ["null", pipe(["null"]), "not an object"],
  ["words", pipe(["hello"]), "not an object"],
  ["binary", pipe([crypto.getRandomValues(new Uint8Array(5000))]), "not an object"],
  ["50 MB of JSON", pipe(['{"a":"', ...Array(50).fill("x".repeat(MIB)), '"}']), "too large"],
  ["a terminal", { isTerminal: () => true, read: () => new Promise(() => {}) }, "terminal"],
];

for (const [name, source, expected] of CASES) {
  Deno.test(`readInput() with ${name}`, async () => {
    const input = await readInput(source, 30);
    if (typeof expected !== "string") assertEquals(input, expected);
    else assertEquals<unknown>(input.kind === "none" ? input.why : input, expected);
  });
}

Deno.test("readInput() takes a megabyte whole", async () => {
  const prompt = "x".repeat(MIB);
  const input = await readInput(pipe([JSON.stringify({ prompt })]), 5000);
  assertEquals(input.kind === "object" && input.value.prompt === prompt, true);
});
