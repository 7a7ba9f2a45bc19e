/**
 * `deno task test:browser --monitor [FOLDER]`: without a folder, the picture in the
 * documentation; with one, the monitor in light and dark at each width, to look at.
 */
import type { Browser, Page } from "playwright-core";
import { MonitorWorld } from "../worlds/agents/monitor_world.ts";
import { launch } from "./chromium.ts";
import { crowd, play } from "./monitor_scene.ts";

/** What is in a picture: who is there, then what the user does. */
const SCENES: Record<string, { world?: string; act?(page: Page): Promise<void> }> = {
  agents: {},
  session: { act: (page) => page.locator(".lane-name", { hasText: "claude-3f9a" }).first().click() },
  message: {
    act: (page) => page.locator("#list [role=option]", { hasText: "Rounding is wrong" }).first().click(),
  },
  file: { act: (page) => page.locator("[data-kind=file] .lane-name", { hasText: "migrate.ts" }).click() },
  release: {
    act: async (page) => {
      await page.locator("[data-kind=file] .lane-name", { hasText: "migrate.ts" }).click();
      await page.getByRole("button", { name: "Release migrate.ts" }).click();
    },
  },
  history: {
    act: async (page) => {
      await page.keyboard.press("2");
      await page.locator("#history-words").fill("migration OR rounding");
      await page.locator("#history-list li").first().waitFor();
    },
  },
  help: { act: (page) => page.keyboard.press("?") },
  empty: { world: "empty" },
  one: { world: "one" },
  crowd: { world: "crowd" },
  chosen: { world: "crowd", act: (page) => page.locator(".lane-name").nth(3).click() },
};
const SIZES = { wide: [1280, 740], middle: [768, 900], phone: [390, 844] } as const;

const WORLDS: Record<string, (world: MonitorWorld) => unknown> = {
  full: (world) => play(world),
  empty: () => {},
  one: (world) => world.does(world.begin("codex", "b81e02d4-19"), "working", { tool: "Bash" }),
  crowd: (world) => crowd(world, 50, 10_000),
};

async function shoot(
  browser: Browser,
  world: MonitorWorld,
  scene: string,
  size: keyof typeof SIZES,
  scheme: "light" | "dark",
  path: string,
): Promise<void> {
  const [width, height] = SIZES[size];
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: scheme });
  page.setDefaultTimeout(20_000);
  page.on("pageerror", (error) => console.error(`${scene}: ${error}`));
  page.on("console", (message) => message.type() === "error" && console.error(`${scene}: ${message.text()}`));
  await page.goto(world.address);
  await page.locator('#live[data-state="live"]').waitFor();
  await page.locator("#detail > *").first().waitFor({ state: "attached" });
  await SCENES[scene]?.act?.(page);
  await page.screenshot({ path, animations: "disabled" });
  await page.close();
}

const [folder, ...only] = Deno.args;
const browser = await launch();
try {
  for (const [name, fill] of Object.entries(WORLDS)) {
    const scenes = Object.keys(SCENES).filter((scene) => (SCENES[scene]?.world ?? "full") === name);
    if (folder === undefined && name !== "full") continue;
    const pictures = folder === undefined
      ? [["agents", "wide", "light", "docs/monitor.png"] as const]
      : scenes.flatMap((scene) =>
        (["wide", "middle", "phone"] as const).flatMap((size) =>
          (["light", "dark"] as const).map((scheme) =>
            [scene, size, scheme, `${folder}/${scene}-${size}-${scheme}.png`] as const
          )
        )
      ).filter(([scene, size, scheme]) =>
        only.length === 0 || only.some((part) => `${scene}-${size}-${scheme}`.includes(part))
      );
    if (pictures.length === 0) continue;
    await using world = new MonitorWorld();
    await fill(world);
    for (const [scene, size, scheme, path] of pictures) {
      await shoot(browser, world, scene, size, scheme, path);
    }
  }
} finally {
  await browser.close();
}
