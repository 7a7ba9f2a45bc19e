import type { Page } from "./assemble.ts";

/** A page with the headers that let the browser load and run nothing but what is in it. */
export function pageResponse({ html, policy }: Page): Response {
  return new Response(html, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    },
  });
}
