/**
 * `deno task test:browser --frames`: prints as JSON how long the monitor page works for each frame, in ms,
 * while the user moves along the lanes: of 50 sessions with 10,000 messages, and of 12 with 40.
 */
import type { Browser, Page } from "playwright-core";
import { MonitorWorld } from "../worlds/agents/monitor_world.ts";
import { launch } from "./chromium.ts";
import { measureFrames } from "./measure_frames.js";
import { crowd } from "./monitor_scene.ts";

const ROUNDS = 6;
const FRAMES = 20;

/** Half of the time, with points where there are many messages; then with the arcs of one lane. */
const VIEWS: Record<string, (page: Page) => Promise<unknown>> = {
  overview: (page) => page.locator("#zoom-in").click(),
  chosen: (page) => page.locator(".lane-name").nth(3).click(),
};

async function open(
  browser: Browser,
  world: MonitorWorld,
  sessions: number,
  messages: number,
): Promise<Page> {
  crowd(world, sessions, messages);
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(60_000);
  await page.goto(world.address);
  await page.locator(".lane").nth(sessions - 1).waitFor({ state: "attached" });
  await page.locator("#list [role=option]").first().waitFor();
  return page;
}

const browser = await launch();
try {
  await using small = new MonitorWorld();
  await using large = new MonitorWorld();
  const pages = [
    ["12 sessions, 40 messages", await open(browser, small, 12, 40)],
    ["50 sessions, 10,000 messages", await open(browser, large, 50, 10_000)],
  ] as const;
  const rows = [];
  for (const [view, show] of Object.entries(VIEWS)) {
    for (const [, page] of pages) await show(page);
    const times = pages.map((): number[] => []);
    // In turns, so that other work on the machine slows both down.
    for (let round = 0; round < ROUNDS; round++) {
      for (const [index, [, page]] of pages.entries()) {
        await page.bringToFront();
        times[index]?.push(...await page.locator(".lane-scroller").evaluate(measureFrames, FRAMES));
      }
    }
    rows.push(
      ...pages.map(([name], index) => ({ name: `monitor frame, ${view}, ${name}`, times: times[index] })),
    );
  }
  console.log(JSON.stringify(rows));
} finally {
  await browser.close();
}
