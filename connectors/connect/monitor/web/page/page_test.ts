import { assert, assertEquals } from "@std/assert";
import { MONITOR } from "./page.ts";

const { html, policy } = MONITOR;

Deno.test("MONITOR is self-contained, with one script that parses", () => {
  assert(!/<(script|link|img|iframe)[^>]*(src|href)=["'](?!data:)/.test(html));
  assertEquals([...html.matchAll(/<script/g)].length, 1);
  const script = /<script type="module">([^]*)<\/script>/.exec(html)?.[1] ?? "";
  assert(!/^(import|export) /m.test(script));
  new Function(script);
});

Deno.test("MONITOR never parses text as HTML", () => {
  assert(!/innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcdoc|DOMParser/.test(html));
});

Deno.test("MONITOR has a policy without exceptions", () => {
  assert(/^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+';/.test(policy), policy);
  assert(!policy.includes("unsafe"), policy);
});
