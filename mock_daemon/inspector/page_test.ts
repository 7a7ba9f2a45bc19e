import { assert, assertEquals } from "@std/assert";
import { createMockDaemon } from "../mod.ts";
import { INSPECTOR } from "./page.ts";

const { html: PAGE } = INSPECTOR;

Deno.test("INSPECTOR is self-contained, with one script that parses", () => {
  assert(!/<(script|link|img|iframe)[^>]*(src|href)=["'](?!data:)/.test(PAGE));
  assertEquals([...PAGE.matchAll(/<script/g)].length, 1);
  const script = /<script type="module">([^]*)<\/script>/.exec(PAGE)?.[1] ?? "";
  assert(!/^(import|export) /m.test(script));
  new Function(script);
});

Deno.test("INSPECTOR never parses text as HTML", () => {
  assert(!/innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcdoc|DOMParser/.test(PAGE));
});

Deno.test("GET / is served only to loopback, with a policy that allows only the page's script", async () => {
  const daemon = createMockDaemon({ auth: "team" });
  const get = (host: string, peer: string) =>
    daemon.app.request("http://x/", { headers: { host } }, { peer });
  const page = await get("localhost:3850", "127.0.0.1");
  assertEquals(page.status, 200);
  const policy = page.headers.get("content-security-policy") ?? "";
  assert(/default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+';/.test(policy), policy);
  assert(!policy.includes("unsafe"));
  await page.body?.cancel();
  assertEquals((await get("evil.example:3850", "127.0.0.1")).status, 403);
  assertEquals((await get("localhost:3850", "10.0.0.9")).status, 403);
  daemon.close();
});
