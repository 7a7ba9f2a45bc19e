import type { BrowserContext, Page } from "playwright-core";
import { type MockServer, serve, type ServeOptions } from "../../mock_daemon/mod.ts";
import { type BrowserOptions, inBrowser } from "./in_browser.ts";

export { counted, HEIGHT, WIDTHS } from "./in_browser.ts";

export interface Scene {
  readonly server: MockServer;
  readonly context: BrowserContext;
  readonly page: Page;
  readonly complaints: string[];
}

export type StageOptions = ServeOptions & BrowserOptions;

/** A test of the inspector in a browser, with a daemon of its own. */
export function inspect(
  title: string,
  run: (scene: Scene) => Promise<void>,
  { width, colorScheme, ...options }: StageOptions = {},
): void {
  inBrowser(`inspector ${title}`, { width, colorScheme }, async (scene) => {
    const server = serve({ scriptable: true, ...options });
    try {
      await open(scene.page, server);
      await run({ ...scene, server });
    } finally {
      // The page follows the server for as long as it is open.
      await scene.page.close();
      await server.shutdown();
    }
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

/** What was copied last. */
export async function clipboard(page: Page): Promise<string> {
  return await page.evaluate("navigator.clipboard.readText()");
}
