import { assertEquals } from "@std/assert";
import { redact } from "./redact.ts";

Deno.test("redact() removes keys and leaves the rest readable", () => {
  const cases: [string, string][] = [
    ["key sig_sk_0123456789ab_AbC-d_e refused", "key sig_sk_… refused"],
    ["Authorization: Bearer abc.def-123", "Authorization: Bearer …"],
    ["https://me:pw@host/x", "https://…@host/x"],
    ['{"apiKey":"abc","port":1}', '{"apiKey":"…","port":1}'],
    ["token=abc&x=1", "token=…&x=1"],
    ["tcp connect error: Connection refused", "tcp connect error: Connection refused"],
  ];
  for (const [text, expected] of cases) assertEquals(redact(text), expected);
});
