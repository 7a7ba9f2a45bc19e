/**
 * `deno task test:browser --screenshots [FOLDER]`: without a folder, the picture in the documentation; with
 * one, the inspector in light and dark at each width, to look at.
 */
import type { Browser, Page } from "playwright-core";
import { type MockServer, serve } from "../../mock_daemon/mod.ts";
import { HARNESSES } from "../../connectors/registry.ts";
import { launch } from "./chromium.ts";
import { crowd, play } from "./scene.ts";

/** Steps of the clock between two requests, in seconds: people pause, hooks follow each other. */
const PAUSES = [4, 31, 7, 96, 15, 2, 52, 9, 120, 22];
/** The clock of the picture: a step for each request, so that the lanes have something to show. */
let now = Date.now() - (Deno.args.length === 0 ? 11.5 : 29) * 60_000;
let steps = 0;
const tick = () => {
  now = Math.min(Date.now(), now + (PAUSES[steps++ % PAUSES.length] ?? 0) * 1000);
};

const row = (page: Page, text: string) => page.locator("#list [role=option]", { hasText: text }).first();

/** What is in a picture: the address, then what the user does. */
const SCENES: Record<string, { address?: string; act?(page: Page): Promise<void> }> = {
  list: {},
  prompt: { act: (page) => row(page, "Which database").click() },
  failed: { act: (page) => row(page, "409").click() },
  fault: { act: (page) => row(page, "503").click() },
  session: {
    address: "?session=codex+nicholai%2Fserver+019a3b44-71c8",
    act: async (page) => {
      await page.keyboard.press("f");
      await row(page, "409").click();
    },
  },
  compare: {
    act: async (page) => {
      await row(page, "startup").click();
      await page.locator("#compare").click();
      await row(page, "compact").click();
      await page.getByText("Comparison").waitFor();
    },
  },
  menu: {
    act: async (page) => {
      const open = page.locator("#filters-open");
      if (await open.isVisible()) await open.click();
      await page.locator("#filter-show").selectOption("failed");
      await page.locator("#export summary").click();
    },
  },
  memories: { address: "?view=memories" },
  harnesses: { address: "?view=harnesses" },
  help: { act: (page) => page.keyboard.press("?") },
};
const SIZES = { wide: [1280, 740], middle: [768, 900], phone: [390, 844] } as const;

async function shoot(
  browser: Browser,
  server: MockServer,
  { scene, size, scheme, path }: {
    scene: keyof typeof SCENES;
    size: keyof typeof SIZES;
    scheme: "light" | "dark";
    path: string;
  },
): Promise<void> {
  const [width, height] = SIZES[size];
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: scheme });
  page.setDefaultTimeout(10_000);
  await page.goto(`${server.url}/${SCENES[scene]?.address ?? ""}`);
  await page.locator('#live[data-state="live"]').waitFor();
  await SCENES[scene]?.act?.(page);
  if (await page.locator("#detail").isVisible()) await page.locator("#detail > *").first().waitFor();
  await page.screenshot({ path, animations: "disabled" });
  await page.close();
}

const folder = Deno.args[0];
const server = serve({
  scriptable: true,
  clock: () => now,
  matrix: HARNESSES.map(({ id, displayName, fidelity }) => ({ id, displayName, fidelity })),
});
const browser = await launch();
try {
  if (folder !== undefined) await crowd(server, tick);
  await play(server, tick);
  if (folder === undefined) {
    await shoot(browser, server, {
      scene: "failed",
      size: "wide",
      scheme: "light",
      path: "docs/inspector.png",
    });
  } else {
    const only = Deno.args.slice(1);
    for (const scene of Object.keys(SCENES)) {
      for (const size of ["wide", "middle", "phone"] as const) {
        for (const scheme of ["light", "dark"] as const) {
          const name = `${scene}-${size}-${scheme}`;
          if (only.length > 0 && !only.some((part) => name.includes(part))) continue;
          await shoot(browser, server, { scene, size, scheme, path: `${folder}/${name}.png` });
        }
      }
    }
  }
} finally {
  await browser.close();
  await server.shutdown();
}
