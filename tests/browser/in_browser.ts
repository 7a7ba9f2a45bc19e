import { assertEquals } from "@std/assert";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { launch } from "./chromium.ts";

/** The widths at which a page is tested: a laptop, a tablet, a phone. */
export const WIDTHS = [1280, 768, 390] as const;
export const HEIGHT = 800;

export interface BrowserScene {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What the page complained about: errors, and what the content policy blocked. */
  readonly complaints: string[];
}

export interface BrowserOptions {
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

/** A test with a page of its own; it fails if the page complains. */
export function inBrowser(
  name: string,
  { width = 1280, colorScheme = "light" }: BrowserOptions,
  run: (scene: BrowserScene) => Promise<void>,
): void {
  Deno.test({
    name,
    // The browser lives across tests, with its pipes and timers.
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      const context = await browser.newContext({
        viewport: { width, height: HEIGHT },
        colorScheme,
        permissions: ["clipboard-read", "clipboard-write"],
      });
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on("pageerror", (error) => complaints.push(String(error)));
      page.on("console", (message) => {
        // Chromium reports every refused request as an error; some are refused on purpose.
        const refused = message.text().startsWith("Failed to load resource");
        if (message.type() === "error" && !refused) complaints.push(message.text());
      });
      page.setDefaultTimeout(20_000);
      try {
        await run({ context, page, complaints });
        assertEquals(complaints, []);
      } finally {
        await context.close();
      }
    },
  });
}

/** Waits until there are so many; the page's policy forbids the evaluation that a wait for a function needs. */
export async function counted(locator: Locator, count: number): Promise<void> {
  if (count > 0) await locator.nth(count - 1).waitFor();
  await locator.nth(count).waitFor({ state: "detached" });
}

/** Fails if the page is wider than its window. */
export async function assertFits(page: Page, width: number): Promise<void> {
  const wide: number = await page.evaluate("document.documentElement.scrollWidth");
  if (wide > width) throw new Error(`The page is ${wide} wide at ${width}.`);
}
