import { assertEquals } from "@std/assert";
import { sha256 } from "./sha256.ts";

Deno.test("sha256() agrees with the platform's, at every length around a block", async () => {
  for (let length = 0; length <= 200; length++) {
    const text = "añ漢".repeat(length).slice(0, length);
    const expected = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
    const hex = Array.from(new Uint8Array(expected), (byte) => byte.toString(16).padStart(2, "0")).join("");
    assertEquals(sha256(text), hex, `${length} characters`);
  }
});
