import { assertEquals } from "@std/assert";
import { isForeignPage } from "./local_request.ts";

const CASES: [title: string, headers: Record<string, string>, foreign: boolean][] = [
  ["no Origin, as from a program", { host: "127.0.0.1:4000" }, false],
  ["its own Origin", { host: "127.0.0.1:4000", origin: "http://127.0.0.1:4000" }, false],
  ["localhost and IPv6", { host: "[::1]:4000", origin: "http://[::1]:4000" }, false],
  ["an Origin of another site", { host: "127.0.0.1:4000", origin: "https://evil.example" }, true],
  ["an Origin on another port", { host: "127.0.0.1:4000", origin: "http://127.0.0.1:4001" }, true],
  ["an Origin with another scheme", { host: "127.0.0.1:4000", origin: "https://127.0.0.1:4000" }, true],
  ["the Origin of a sandboxed page", { host: "127.0.0.1:4000", origin: "null" }, true],
  ["a name that resolves to loopback", { host: "rebound.example:4000" }, true],
  ["a Host that begins like loopback", { host: "127.0.0.1.evil.example" }, true],
  ["foreign Host and equal Origin", { host: "evil.example", origin: "http://evil.example" }, true],
];

for (const [title, headers, foreign] of CASES) {
  Deno.test(`isForeignPage() with ${title} is ${foreign}`, () => {
    assertEquals(isForeignPage({ headers: new Headers(headers), url: "http://127.0.0.1:4000/" }), foreign);
  });
}
