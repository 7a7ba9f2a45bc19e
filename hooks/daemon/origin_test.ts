import { assertEquals, assertStringIncludes } from "@std/assert";
import { checkAgentId, checkUrl, isLoopback, keyAllowed } from "./origin.ts";

Deno.test("checkUrl() accepts an origin and reports what is wrong with anything else", () => {
  const cases: [string, string | RegExp][] = [
    ["http://127.0.0.1:3850", "http://127.0.0.1:3850"],
    ["http://127.0.0.1:3850/", "http://127.0.0.1:3850"],
    ["https://Signet.Example", "https://signet.example"],
    ["https://signet.example:443", "https://signet.example"],
    ["http://[::1]:3850", "http://[::1]:3850"],
    ["", /not a URL/],
    ["localhost:3850", /neither http nor https/],
    ["htp://x", /neither http nor https/],
    ["http//127.0.0.1", /not a URL/],
    ["ftp://x", /neither http nor https/],
    ["http://user:pw@host", /user or password/],
    ["http://@host", /user or password/],
    ["http://host/api", /more than an origin/],
    ["http://host?x=1", /more than an origin/],
    ["http://host/?", /more than an origin/],
    ["http://host#", /more than an origin/],
    [" http://host", /space or control/],
    ["http://ho\nst", /space or control/],
  ];
  for (const [text, expected] of cases) {
    const result = checkUrl(text);
    const shown = "url" in result ? result.url : result.problem;
    if (typeof expected === "string") assertEquals(shown, expected, text);
    else assertEquals([expected.test(shown), "problem" in result], [true, true], `${text}: ${shown}`);
  }
});

Deno.test("checkUrl() does not repeat a password", () => {
  const result = checkUrl("http://me:hunter2@host");
  assertStringIncludes("problem" in result ? result.problem : "", "//…@host");
});

Deno.test("isLoopback() compares parsed hosts", () => {
  const cases: [string, boolean][] = [
    ["http://127.0.0.1", true],
    ["http://127.1", true],
    ["http://127.255.3.4", true],
    ["http://0x7f000001", true],
    ["http://[::1]", true],
    ["http://[0:0:0:0:0:0:0:1]", true],
    ["http://LOCALHOST", true],
    ["http://127.0.0.1.evil.example", false],
    ["http://localhost.evil.example", false],
    ["http://notlocalhost", false],
    ["http://0.0.0.0", false],
    ["http://[::ffff:127.0.0.1]", false],
    ["http://192.168.1.1", false],
  ];
  for (const [url, expected] of cases) assertEquals(isLoopback(new URL(url).hostname), expected, url);
});

Deno.test("keyAllowed() lets a key out over TLS or on this machine only", () => {
  const cases: [string, boolean, boolean][] = [
    ["https://signet.example", false, true],
    ["http://127.0.0.1:3850", false, true],
    ["http://192.168.1.7:3850", false, false],
    ["http://192.168.1.7:3850", true, true],
  ];
  for (const [url, insecure, expected] of cases) assertEquals(keyAllowed(url, insecure), expected, url);
});

Deno.test("checkAgentId() takes what can be a path below agents/, and nothing else", () => {
  const good = ["default", "nicholai/pi", "a.b-c_d/e", "..a", "A1"];
  const bad = [
    "",
    " ",
    "a b",
    "a\nb",
    "..",
    "a/../b",
    "/a",
    "a/",
    "a//b",
    ".",
    "a/./b",
    "ä",
    "a\\b",
    "x".repeat(129),
  ];
  for (const id of good) assertEquals(checkAgentId(id), { agentId: id });
  for (const id of bad) assertEquals("problem" in checkAgentId(id), true, id);
});
