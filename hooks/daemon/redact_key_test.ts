import { assertEquals } from "@std/assert";
import { KeyRedactor } from "./redact_key.ts";

const KEY = "sig_sk_0123456789ab_Zx9-QwErTyUiOpAsDf_GhJkLzXcVbNm";
const hex = [...KEY].map((char) => char.charCodeAt(0).toString(16).padStart(2, "0"));

Deno.test("KeyRedactor removes a key in every form that a daemon may echo", () => {
  const redactor = new KeyRedactor(KEY);
  const forms: [string, string][] = [
    ["as it is", KEY],
    ["in upper case", KEY.toUpperCase()],
    ["its second half", KEY.slice(20)],
    ["its first half", KEY.slice(0, 27)],
    ["with spaces", [...KEY].join(" ")],
    ["with invisible characters", [...KEY].join("\u200b")],
    ["over lines", [...KEY].join("\n> ")],
    ["percent-encoded", encodeURIComponent(KEY)],
    ["percent-encoded throughout", hex.map((pair) => `%${pair.toUpperCase()}`).join("")],
    ["as hex", hex.join("")],
    ["as escapes", hex.map((pair) => `\\u00${pair}`).join("")],
    ["as hex bytes", hex.map((pair) => `\\x${pair}`).join("")],
    ["backwards", [...KEY].reverse().join("")],
    ["in Base64", btoa(KEY)],
    ["in Base64 of a header", btoa(`Bearer ${KEY}`)],
    ["in Base64 of a user and password", btoa(`u:${KEY}`)],
    ["in Base64url", btoa(`x${KEY}`).replaceAll("+", "-").replaceAll("/", "_")],
  ];
  for (const [name, form] of forms) {
    const clean = redactor.redact(`before, ${form}, after. Twice: ${form}!`);
    assertEquals([clean.startsWith("before, "), clean.endsWith("!")], [true, true], `${name}: ${clean}`);
    assertEquals(clean.includes(" after. Twice: "), true, `${name}: ${clean}`);
    assertEquals(clean.length < 60 + form.length * 0.5, true, `${name}: ${clean}`);
  }
});

Deno.test("KeyRedactor leaves other text and the key's public prefix alone", () => {
  const redactor = new KeyRedactor(KEY);
  const texts = [
    "",
    "hello",
    "sig_sk_0123456789ab",
    "sig_sk_ffffffffffff_other",
    "Zx9-QwErTy",
    "x".repeat(500),
  ];
  for (const text of texts) assertEquals(redactor.redact(text), text);
  assertEquals(redactor.redact(`a ${KEY} b`), "a … b");
});

Deno.test("KeyRedactor removes a short key as a whole, and nothing for one that could be a word", () => {
  assertEquals(new KeyRedactor("hunter2hunter").redact("it is hunter2hunter, hunter2"), "it is …, hunter2");
  assertEquals(new KeyRedactor("test").redact("a test"), "a test");
  assertEquals(new KeyRedactor("").redact("a test"), "a test");
});
