import type { Locator, Page } from "playwright-core";
import type { Mode } from "../../connectors/base/cli/command.ts";
import { MonitorWorld } from "../worlds/agents/monitor_world.ts";
import { type BrowserOptions, type BrowserScene, inBrowser } from "./in_browser.ts";

export interface MonitorScene extends BrowserScene {
  readonly world: MonitorWorld;
}

export interface MonitorOptions extends BrowserOptions {
  readonly mode?: Mode;
}

/** A test of the monitor page in a browser, with a machine of its own. */
export function monitor(
  title: string,
  run: (scene: MonitorScene) => Promise<void>,
  { mode, ...options }: MonitorOptions = {},
): void {
  inBrowser(`monitor ${title}`, options, async (scene) => {
    await using world = new MonitorWorld(mode);
    try {
      await open(scene.page, world);
      await run({ ...scene, world });
    } finally {
      // The page follows the server for as long as it is open.
      await scene.page.close();
    }
  });
}

/** Opens the address that the command prints, and waits until the page has the board. */
export async function open(page: Page, world: MonitorWorld): Promise<void> {
  await page.goto(world.address);
  await page.locator('#live[data-state="live"]').waitFor();
  await page.locator("#detail .hint, #detail h2", { hasNotText: "Loading" }).first().waitFor({
    state: "attached",
  });
}

export const rows = (page: Page): Locator => page.locator("#list [role=option]");
export const lane = (page: Page, name: string): Locator =>
  page.locator(".lane-name").filter({ has: page.locator(`b:text-is("${name}")`) });
export const toast = async (page: Page, text: string): Promise<void> =>
  await page.locator("#toast", { hasText: text }).waitFor();
export const focused = (page: Page): Promise<string> => page.evaluate("document.activeElement.id");
