import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { Locks } from "../../hooks/agents/locks/locks.ts";
import { tooFaint } from "./contrast.ts";
import { assertFits, counted, WIDTHS } from "./in_browser.ts";
import { play } from "./monitor_scene.ts";
import { focused, lane, monitor, rows, toast } from "./monitor_stage.ts";

const isPhone = (width: number) => width < 600;

/** Returns from the details, where they cover the list. */
async function back(page: Page): Promise<void> {
  if (await page.locator("#back").isVisible()) await page.locator("#back").click();
}

/** Whether the focused element shows that it is: an outline that is not of no width. */
async function showsFocus(page: Page): Promise<string> {
  return await page.evaluate(`(() => {
    const element = document.activeElement;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 ? "" : element.outerHTML.slice(0, 80);
  })()`);
}

/** Presses Tab until something has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let tabs = 0; tabs < 80; tabs++) {
    if (await page.locator(`${selector}:focus`).count() > 0) return;
    await page.keyboard.press("Tab");
    assertEquals(await showsFocus(page), "");
  }
  throw new Error(`Tab does not reach ${selector}.`);
}

for (const width of WIDTHS) {
  monitor(`at ${width} px shows each part without a horizontal scroll bar`, async ({ world, page }) => {
    await play(world);
    await counted(rows(page), 40);
    await assertFits(page, width);
    await lane(page, "claude-3f9a").click();
    await page.locator("#detail h2", { hasText: "claude-3f9a" }).waitFor();
    await assertFits(page, width);
    assertEquals(await page.locator("#back").isVisible(), isPhone(width));
    await back(page);
    await rows(page).first().click();
    await page.locator("#detail .text").first().waitFor();
    await assertFits(page, width);
    await back(page);
    await page.locator("#tab-history").click();
    await page.locator("#history-list li").first().waitFor();
    await assertFits(page, width);
  }, { width });

  monitor(`at ${width} px works by keyboard alone`, async ({ world, page }) => {
    const codex = world.begin("codex", "bbbb2222");
    const pi = world.begin("pi", "cccc3333");
    world.writes({ from: codex, to: pi, text: "first", at: Date.now() - 2000 });
    world.writes({ from: pi, to: codex, text: "second", at: Date.now() - 1000 });
    await world.locks(codex, "/home/u/larkspur/a.ts");
    await counted(rows(page), 2);
    await lane(page, "a.ts").waitFor();
    await page.keyboard.press("Tab");
    assertEquals(await page.evaluate("document.activeElement.className"), "skip");
    // The lanes: one stop for Tab, arrow keys inside.
    await tabTo(page, ".lane-name");
    await page.keyboard.press("ArrowDown");
    assertEquals(await showsFocus(page), "");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.locator("#detail h2", { hasText: "codex-bbbb" }).waitFor();
    await page.keyboard.press("m");
    await page.locator("form.send textarea:focus").waitFor();
    await page.keyboard.type("hello from the keyboard");
    await page.keyboard.press("Control+Enter");
    await toast(page, "Sent to codex-bbbb");
    assertEquals(world.mesh.inbox.peek(codex, "new").map(({ text }) => text), ["hello from the keyboard"]);
    // The lock of this session, in the same details.
    await page.locator("#detail").focus();
    await tabTo(page, '#detail button[aria-label="Release a.ts"]');
    await page.keyboard.press("Enter");
    await page.locator("#release button:focus").waitFor();
    assertEquals(await showsFocus(page), "");
    await page.keyboard.press("Enter");
    await toast(page, "Released a.ts");
    assertEquals(new Locks(world.mesh.dir).dir.list(), []);
    await page.keyboard.press("Escape");
    await page.locator("#list:focus").waitFor();
    await page.keyboard.press("ArrowDown");
    await page.locator("#list [aria-selected=true]").waitFor();
    await page.keyboard.press("End");
    await page.locator("#list [aria-selected=true]", { hasText: "first" }).waitFor();
    await page.keyboard.press("Enter");
    await page.locator("#detail:focus").waitFor();
    await page.keyboard.press("Escape");
    assertEquals(await focused(page), "list");
    await page.keyboard.press("2");
    await page.locator("#history-list li").first().waitFor();
    await page.keyboard.press("/");
    assertEquals(await focused(page), "history-words");
    await page.keyboard.type("keyboard");
    await counted(page.locator("#history-list li"), 1);
    await page.locator("#tab-history").focus();
    await page.keyboard.press("ArrowLeft");
    await page.locator("#agents").waitFor();
    await page.keyboard.press("?");
    assert(await page.locator("#help").isVisible());
    await page.keyboard.press("Escape");
    assert(!(await page.locator("#help").isVisible()));
  }, { width });

  for (const colorScheme of ["light", "dark"] as const) {
    monitor(`at ${width} px in ${colorScheme} has AA contrast everywhere`, async ({ world, page }) => {
      const faint = async (where: string) =>
        assertEquals((await tooFaint(page)).map((line) => `${where}: ${line}`), []);
      await faint("empty");
      await play(world);
      await counted(rows(page), 40);
      await faint("overview");
      await lane(page, "gemini-e02b").click();
      await page.locator("#detail .note", { hasText: "It waits for you" }).waitFor();
      await faint("session");
      await back(page);
      await rows(page).filter({ hasText: "urgent" }).first().click();
      await page.locator("#detail .text").first().waitFor();
      await faint("message");
      await back(page);
      await page.locator("#filter-session").click();
      await lane(page, "migrate.ts").click();
      await page.locator("#detail", { hasText: "rename the invoice columns" }).waitFor();
      await faint("file");
      await page.getByRole("button", { name: "Release migrate.ts" }).click();
      await faint("release");
      await page.locator("#release").getByRole("button", { name: "Release" }).click();
      await page.locator("#toast p").waitFor();
      await faint("toast");
      await back(page);
      await page.locator("#filter-text").fill("migration");
      await faint("filter");
      await page.locator("#tab-history").click();
      await page.locator("#history-list li").first().waitFor();
      await faint("history");
      await page.locator("#history-words").fill('""');
      await page.locator("#history-count[data-bad]").waitFor();
      await faint("history error");
      await page.locator("#tab-history").focus();
      await page.keyboard.press("?");
      await faint("help");
    }, { width, colorScheme });
  }
}

monitor("on a phone returns from the details with the browser's Back button", async ({ world, page }) => {
  const codex = world.begin("codex", "bbbb2222");
  world.writes({ to: codex, text: "hello", at: Date.now() });
  await rows(page).first().click();
  await page.locator("#detail .text").first().waitFor();
  await page.goBack();
  await page.locator("#detail").waitFor({ state: "hidden" });
  await page.locator("#overview-open").click();
  await page.locator("#detail form.send").waitFor();
  await page.locator("#back").click();
  await page.locator("#detail").waitFor({ state: "hidden" });
}, { width: 390 });
