import { assertEquals } from "@std/assert";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { type MockServer, serve, type ServeOptions } from "../../mock_daemon/mod.ts";
import { launch } from "./chromium.ts";

/** The widths at which the page is tested: a laptop, a tablet, a phone. */
export const WIDTHS = [1280, 768, 390] as const;
export const HEIGHT = 800;

export interface Scene {
  readonly server: MockServer;
  readonly context: BrowserContext;
  readonly page: Page;
  /** What the page complained about: errors, and what the content policy blocked. */
  readonly complaints: string[];
}

export interface StageOptions extends ServeOptions {
  readonly width?: number;
  readonly colorScheme?: "light" | "dark";
}

let browser: Browser;
Deno.test.beforeAll(async () => {
  browser = await launch();
});
Deno.test.afterAll(async () => {
  await browser.close();
});

/** A test of the inspector in a browser, with a daemon of its own. */
export function inspect(
  title: string,
  run: (scene: Scene) => Promise<void>,
  { width = 1280, colorScheme = "light", ...options }: StageOptions = {},
): void {
  Deno.test({
    name: `inspector ${title}`,
    // The browser lives across tests, with its pipes and timers.
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      const server = serve({ scriptable: true, ...options });
      const context = await browser.newContext({
        viewport: { width, height: HEIGHT },
        colorScheme,
        permissions: ["clipboard-read", "clipboard-write"],
      });
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on("pageerror", (error) => complaints.push(String(error)));
      page.on("console", (message) => {
        // Chromium reports every refused request as an error; replays of failed requests are refused.
        const refused = message.text().startsWith("Failed to load resource");
        if (message.type() === "error" && !refused) complaints.push(message.text());
      });
      page.setDefaultTimeout(20_000);
      try {
        await open(page, server);
        await run({ server, context, page, complaints });
        assertEquals(complaints, []);
      } finally {
        await context.close();
        await server.shutdown();
      }
    },
  });
}

/** Opens the page, at an address of it, and waits until it follows the daemon. */
export async function open(page: Page, server: MockServer, address = ""): Promise<void> {
  await page.goto(`${server.url}/${address}`);
  await page.locator('#live[data-state="live"]').waitFor();
}

export async function hook(server: MockServer, name: string, body: Record<string, unknown>): Promise<void> {
  const response = await fetch(`${server.url}/api/hooks/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ harness: "pyagent", sessionKey: "s1", runtimePath: "legacy", ...body }),
  });
  await response.body?.cancel();
}

/** Adds a scripted fault. */
export async function script(server: MockServer, fault: Record<string, unknown>): Promise<void> {
  const response = await fetch(`${server.url}/__mock/script`, {
    method: "POST",
    body: JSON.stringify(fault),
  });
  await response.body?.cancel();
}

export const rows = (page: Page) => page.locator("#list [role=option]");

/** Waits until there are so many; the page's policy forbids the evaluation that a wait for a function needs. */
export async function counted(locator: Locator, count: number): Promise<void> {
  if (count > 0) await locator.nth(count - 1).waitFor();
  await locator.nth(count).waitFor({ state: "detached" });
}

/** What was copied last. */
export async function clipboard(page: Page): Promise<string> {
  return await page.evaluate("navigator.clipboard.readText()");
}
