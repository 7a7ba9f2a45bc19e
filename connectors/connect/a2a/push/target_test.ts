import { assertEquals } from "@std/assert";
import { checkTarget } from "./target.ts";

const names: Record<string, string[]> = {
  "public.example": ["93.184.216.34"],
  "private.example": ["10.0.0.7"],
  "both.example": ["93.184.216.34", "127.0.0.1"],
  "six.example": ["::1"],
};
const rules = { allow: [], resolve: (host: string) => Promise.resolve(names[host] ?? []) };

const REFUSED = [
  "http://127.0.0.1/hook",
  "http://127.1/hook",
  "http://2130706433/hook",
  "http://0x7f.1/hook",
  "http://[::1]/hook",
  "http://[::ffff:127.0.0.1]/hook",
  "http://169.254.169.254/latest/meta-data",
  "https://192.168.0.1/",
  "https://private.example/",
  "https://both.example/",
  "https://six.example/",
  "ftp://public.example/",
  "file:///etc/passwd",
  "https://user:secret@public.example/",
  "not a url",
  "",
];

Deno.test("checkTarget() refuses what is not on the public internet, however it is written", async () => {
  for (const url of REFUSED) assertEquals((await checkTarget(url, rules)).kind, "refused", url);
});

Deno.test("checkTarget() returns the address that it has checked", async () => {
  const target = await checkTarget("https://public.example:8443/hook", rules);
  assertEquals(target.kind === "ok" && [target.address, target.url.host], [
    "93.184.216.34",
    "public.example:8443",
  ]);
  assertEquals((await checkTarget("https://nobody.example/", rules)).kind, "unknown");
});

Deno.test("checkTarget() allows the hosts that the user allows, and their ports alone", async () => {
  const allowed = { ...rules, allow: ["private.example", "127.0.0.1:9000"] };
  assertEquals((await checkTarget("http://private.example:81/", allowed)).kind, "ok");
  assertEquals((await checkTarget("http://127.0.0.1:9000/", allowed)).kind, "ok");
  assertEquals((await checkTarget("http://127.0.0.1:9001/", allowed)).kind, "refused");
});
