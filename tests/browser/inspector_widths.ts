import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import type { MockServer } from "../../mock_daemon/mod.ts";
import { tooFaint } from "./contrast.ts";
import { assertFits } from "./in_browser.ts";
import { crowd, play } from "./scene.ts";
import { clipboard, counted, HEIGHT, hook, inspect, open, rows, WIDTHS } from "./stage.ts";

const isPhone = (width: number) => width < 600;
const detail = (page: Page) => page.locator("#detail");

/** Where the filters are behind a button, opens them. */
async function openFilters(page: Page): Promise<void> {
  const button = page.locator("#filters-open");
  if (await button.isVisible() && await button.getAttribute("aria-expanded") === "false") {
    await button.click();
  }
}

/** Returns from the details, where they cover the list. */
async function back(page: Page): Promise<void> {
  if (await page.locator("#back").isVisible()) await page.locator("#back").click();
}

/** The daemon's clock, in these tests. */
let now = Date.now();

/** An hour of 46 requests, one each minute. */
async function scene(page: Page, server: MockServer): Promise<void> {
  now = Date.now() - 60 * 60_000;
  const tick = () => now += 60_000;
  await crowd(server, tick);
  await play(server, tick);
  await counted(rows(page), 46);
}

for (const width of WIDTHS) {
  inspect(
    `at ${width} px shows each part of a request, without a horizontal scroll bar`,
    async ({ server, page }) => {
      await scene(page, server);
      await assertFits(page, width);
      const failed = rows(page).filter({ hasText: "session claimed by legacy path" });
      for (const part of ["session-start", "codex", "nicholai/server", "409 conflict"]) {
        await failed.getByText(part).first().waitFor();
      }
      const heights = await rows(page).first().boundingBox();
      // Cards have three lines, rows in columns one.
      assert((heights?.height ?? 0) > 50 === width < 1280, `a row is ${heights?.height} high`);
      await failed.click();
      await page.locator("#verdict", { hasText: "409 Conflict" }).waitFor();
      const box = await page.locator("#verdict").boundingBox();
      assert(
        box !== null && box.y >= 0 && box.y + box.height <= HEIGHT && box.x + box.width <= width,
        "in sight",
      );
      await assertFits(page, width);
      assertEquals(await page.locator("#back").isVisible(), isPhone(width));
      await back(page);
      await rows(page).filter({ hasText: "Which database" }).click();
      await detail(page).getByText("Injected context").waitFor();
      await page.getByRole("button", { name: "Copy payload" }).click();
      await page.locator("#toast", { hasText: "Copied" }).waitFor();
      assert((await clipboard(page)).includes("Which database"));
      await page.getByRole("button", { name: "Compare", exact: true }).click();
      // On a phone this returns to the list by itself.
      await rows(page).filter({ hasText: "Finish the two" }).click();
      await detail(page).getByText("Comparison").waitFor();
      await assertFits(page, width);
    },
    { width, clock: () => now },
  );

  inspect(
    `at ${width} px keeps filter, selection and zoom in the address`,
    async ({ server, page, context }) => {
      await scene(page, server);
      await openFilters(page);
      await page.locator("#filter-agent").selectOption("nicholai/server");
      await page.locator("#filter-show").selectOption("failed");
      await page.locator("#filter-text").fill("claimed");
      await counted(rows(page), 1);
      await page.locator("#zoom-in").click();
      await rows(page).first().click();
      await page.locator("#verdict", { hasText: "409 Conflict" }).waitFor();
      await page.waitForURL((url) => url.searchParams.has("request") && url.searchParams.has("from"));
      const address = page.url();
      await page.reload();
      const check = async (each: Page) => {
        await each.locator("#verdict", { hasText: "409 Conflict" }).waitFor();
        assertEquals(each.url(), address);
        assertEquals(await each.locator("#filter-agent").inputValue(), "nicholai/server");
        assertEquals(await each.locator("#filter-show").inputValue(), "failed");
        assertEquals(await each.locator("#filter-text").inputValue(), "claimed");
        await back(each);
        await counted(rows(each), 1);
      };
      await check(page);
      const friend = await context.newPage();
      await friend.goto(address);
      await check(friend);
      await open(page, server, "?view=memories&search=force");
      await counted(page.locator(".memory"), 1);
      await page.reload();
      await counted(page.locator(".memory"), 1);
      assert(await page.locator("#memories").isVisible());
      // An address with nonsense in it is an ordinary page.
      await open(page, server, "?request=x&compare=-1&from=9&to=3&show=%00&view=nothing&session=%3Cb%3E");
      await page.getByText("No request passes the filters.").waitFor();
    },
    { width, clock: () => now },
  );

  inspect(`at ${width} px works by keyboard alone`, async ({ server, page }) => {
    for (const name of ["session-start", "pre-compaction", "session-end"]) await hook(server, name, {});
    await counted(rows(page), 3);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    const focused = () => page.evaluate("document.activeElement.id");
    for (let tabs = 0; tabs < 40 && await focused() !== "list"; tabs++) await page.keyboard.press("Tab");
    assertEquals(await focused(), "list");
    await page.keyboard.press("ArrowDown");
    await page.locator("#list [aria-selected=true] .event", { hasText: "pre-compaction" }).waitFor();
    // Moving through the list does not open the details where they would cover it.
    assertEquals(await detail(page).isVisible(), !isPhone(width));
    await page.keyboard.press("Enter");
    await detail(page).locator("h2.title", { hasText: "pre-compaction" }).waitFor();
    assertEquals(await focused(), "detail");
    await page.keyboard.press("Tab");
    await page.keyboard.press("r");
    await detail(page).getByText("Replay of").waitFor();
    await page.keyboard.press("Escape");
    assertEquals(await focused(), "list");
    await counted(rows(page), 4);
    await detail(page).waitFor({ state: isPhone(width) ? "hidden" : "visible" });
  }, { width });

  for (const colorScheme of ["light", "dark"] as const) {
    inspect(`at ${width} px in ${colorScheme} has AA contrast everywhere`, async ({ server, page }) => {
      const faint = async (where: string) =>
        assertEquals((await tooFaint(page)).map((line) => `${where}: ${line}`), []);
      await scene(page, server);
      await faint("list");
      await openFilters(page);
      await page.locator("#filter-agent").selectOption("nicholai/server");
      await page.locator("#export summary").click();
      await faint("filters and menu");
      await page.locator("#export summary").click();
      for (const text of ["409", "503"]) {
        await rows(page).filter({ hasText: text }).click();
        await page.locator("#verdict", { hasText: text }).waitFor();
        await faint(text);
        await back(page);
      }
      await page.locator("#filter-agent").selectOption("");
      await rows(page).filter({ hasText: "Summarise" }).click();
      await detail(page).locator(".box.warned").waitFor();
      await faint("warnings");
      await page.getByRole("button", { name: "Replay" }).click();
      await page.locator("#toast p").waitFor();
      await detail(page).getByText("Replay of").waitFor();
      await faint("replay and toast");
      await back(page);
      await rows(page).filter({ hasText: "Which database" }).click();
      await page.getByRole("button", { name: "Compare", exact: true }).click();
      await faint("comparing");
      await rows(page).filter({ hasText: "Finish the two" }).click();
      await detail(page).getByText("Comparison").waitFor();
      await faint("comparison");
      await back(page);
      await page.locator(".lane-name").first().click();
      await page.locator("#zoom-in").click();
      await page.locator(".track[data-before], .track[data-after]").first().waitFor();
      await faint("session and zoom");
      await page.keyboard.press("?");
      await faint("help");
      await page.keyboard.press("Escape");
      for (const view of ["memories", "harnesses"]) {
        await page.locator(`#tab-${view}`).click();
        await page.locator(view === "memories" ? ".memory" : "#harnesses table").first().waitFor();
        await faint(view);
      }
    }, {
      width,
      colorScheme,
      clock: () => now,
      matrix: [{
        id: "codex",
        displayName: "Codex",
        fidelity: { a: "yes", b: { partly: "in part" }, c: { no: "none" } },
      }],
    });
  }
}

inspect("would not pass with faint text, borders or marks", async ({ server, page }) => {
  await hook(server, "session-start", {});
  await counted(rows(page), 1);
  assertEquals(await tooFaint(page), []);
  const faint = [
    [".chip", "color", "rgb(120 120 120 / 60%)"],
    ["#filter-text", "border-color", "#ddd"],
    ["#lanes-title", "opacity", "0.4"],
    [".mark", "--event", "#eee"],
  ];
  for (const [selector = "", name, value] of faint) {
    await page.locator(selector).first().evaluate((element, [name, value]) => {
      element.style.setProperty(name, value);
    }, [name, value]);
  }
  assertEquals((await tooFaint(page)).map((line) => line.replace(/:.*/, "")), [
    "border of #filter-text",
    "mark of button.mark",
    "text of #lanes-title",
    "text of span.chip",
  ]);
});

inspect("on a phone returns from the details with the browser's Back button", async ({ server, page }) => {
  await hook(server, "session-start", {});
  await hook(server, "session-end", {});
  await rows(page).first().click();
  await detail(page).locator("h2.title").waitFor();
  await page.goBack();
  await detail(page).waitFor({ state: "hidden" });
  assertEquals(new URL(page.url()).search, "");
  await rows(page).last().click();
  await detail(page).locator("h2.title", { hasText: "session-start" }).waitFor();
  await page.locator("#back").click();
  await detail(page).waitFor({ state: "hidden" });
  assertEquals(await page.locator(".lane-scroller").isVisible(), true);
}, { width: 390 });
