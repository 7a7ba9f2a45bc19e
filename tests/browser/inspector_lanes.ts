import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { serve } from "../../mock_daemon/mod.ts";
import { counted, hook, inspect, open, rows, script } from "./stage.ts";
import { crowd, play } from "./scene.ts";

const lane = (page: Page, name: string) => page.locator(".lane", { hasText: name });

/** A clock that a test moves. */
function movable() {
  const time = { now: Date.now() - 600_000 };
  return { time, clock: () => time.now };
}

/** The part of time in the address, as the lanes show it. */
function spanOf(page: Page): { from: number; to: number } {
  const { searchParams } = new URL(page.url());
  return { from: Number(searchParams.get("from")), to: Number(searchParams.get("to")) };
}

/** Waits for an address that has, or has not, a part of it. */
async function addressHas(page: Page, part: string, has = true): Promise<void> {
  await page.waitForURL((url) => url.search.includes(part) === has);
}

{
  const { time, clock } = movable();
  inspect("puts events at their true times, with bars as long as they took", async ({ server, page }) => {
    const steps = [["session-start", 0], ["user-prompt-submit", 3], ["recall", 900], [
      "session-end",
      0,
    ]] as const;
    for (const [event, pause] of steps) {
      time.now += pause;
      if (event === "recall") await script(server, { route: "recall", delay: 400 });
      await hook(server, event, { userMessage: "x", query: "x", sessionKey: "one" });
    }
    await counted(lane(page, "one").locator(".mark"), 4);
    // Three of them are at almost the same place: a click would choose the topmost.
    await lane(page, "one").locator(".mark").first().press("Enter");
    await page.locator("#zoom-session").click();
    await addressHas(page, "from=");
    const { from, to } = spanOf(page);
    const track = await lane(page, "one").locator(".track").boundingBox();
    assert(track !== null);
    const measured = await lane(page, "one").locator(".mark").evaluateAll((marks) =>
      marks.map((mark) => {
        const { left, width } = mark.getBoundingClientRect();
        return { id: Number(mark.getAttribute("data-mark")), left, width };
      })
    );
    assertEquals(measured.length, 4);
    for (const { id, left, width } of measured) {
      const request = server.daemon.requests().find((each) => each.id === id);
      assert(request !== undefined);
      const perMs = track.width / (to - from);
      const place = track.x + (Date.parse(request.at) - from) * perMs;
      assert(Math.abs(left - place) < 2, `request ${id} is at ${left}, not ${place}`);
      const shown = Math.min(request.ms, to - Date.parse(request.at));
      assert(Math.abs(width - shown * perMs) < 2, `request ${id} is ${width} wide, not ${shown * perMs}`);
    }
  }, { clock });
}

inspect("chooses each of several events at the same moment, by further clicks", async ({ server, page }) => {
  for (const name of ["session-start", "pre-compaction", "session-end"]) await hook(server, name, {});
  await counted(page.locator(".mark"), 3);
  const box = await page.locator(".mark").last().boundingBox();
  assert(box !== null);
  const seen = new Set<string>();
  // The dot is around the start of its bar.
  for (let click = 0; click < 3; click++) {
    await page.mouse.click(box.x, box.y + box.height / 2);
    const others = [...seen].map((id) => `:not([data-mark="${id}"])`).join("");
    const chosen = page.locator(`.mark[aria-current]${others}`);
    seen.add(await chosen.getAttribute("data-mark") ?? "");
  }
  assertEquals(seen.size, 3);
}, { clock: () => 1_750_000_000_000 });

/** Waits until the lanes show less, or more, than a span. */
async function shows(page: Page, amount: "less" | "more", than: { from: number; to: number }): Promise<void> {
  await page.waitForURL((url) => {
    const length = Number(url.searchParams.get("to")) - Number(url.searchParams.get("from"));
    return amount === "less" ? length < than.to - than.from : length > than.to - than.from;
  });
}

inspect("zooms with buttons, keys, the wheel and by dragging", async ({ server, page }) => {
  await play(server);
  await page.locator(".lane").nth(2).waitFor();
  await page.locator("#zoom-in").click();
  await addressHas(page, "from=");
  const first = spanOf(page);
  await page.keyboard.press("+");
  await shows(page, "less", first);
  const second = spanOf(page);
  await page.keyboard.press("-");
  await shows(page, "more", second);
  await page.keyboard.press("0");
  await addressHas(page, "from=", false);
  const track = await page.locator(".track").first().boundingBox();
  assert(track !== null);
  const y = track.y + 3;
  await page.mouse.move(track.x + track.width * 0.2, y);
  await page.mouse.down();
  await page.mouse.move(track.x + track.width * 0.4, y, { steps: 4 });
  await page.locator(".brush").waitFor();
  await page.mouse.up();
  await addressHas(page, "from=");
  const dragged = spanOf(page);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -100);
  await page.keyboard.up("Control");
  await shows(page, "less", dragged);
  await page.locator("#zoom-all").click();
  await addressHas(page, "from=", false);
});

inspect("zooms and moves by keyboard alone, and follows the selection", async ({ server, page }) => {
  const steps = ["session-start", "pre-compaction", "session-end"];
  for (const name of steps) await hook(server, name, {});
  await counted(rows(page), 3);
  await page.locator("#list").focus();
  await page.keyboard.press("End");
  await page.keyboard.press("f");
  await addressHas(page, "from=");
  for (let step = 0; step < 3; step++) await page.keyboard.press("+");
  await page.keyboard.press("Home");
  await page.locator('.mark[aria-current][aria-label^="session-end"]').waitFor();
  await page.locator(".mark[aria-current]").focus();
  const before = page.url();
  await page.keyboard.press("Shift+ArrowLeft");
  await page.waitForURL((url) => String(url) !== before);
});

inspect("shows only a session after a click on it, and all after another", async ({ server, page }) => {
  await hook(server, "session-start", { sessionKey: "one" });
  await hook(server, "session-start", { sessionKey: "two", agentId: "bob" });
  await hook(server, "session-start", { sessionKey: "one", agentId: "carol" });
  await hook(server, "session-end", { sessionKey: "one" });
  await counted(rows(page), 4);
  await lane(page, "default").locator(".lane-name").click();
  await counted(rows(page), 2);
  // The other lanes stay, so that the user can change to another session.
  assertEquals(await page.locator(".lane").count(), 3);
  assertEquals(await lane(page, "default").locator(".lane-name").getAttribute("aria-pressed"), "true");
  await addressHas(page, "session=pyagent+default+one");
  await lane(page, "bob").locator(".lane-name").click();
  await counted(rows(page), 1);
  await lane(page, "bob").locator(".lane-name").click();
  await counted(rows(page), 4);
  await rows(page).nth(1).locator(".session").click();
  await counted(rows(page), 1);
  await page.locator("#filter-session").click();
  await counted(rows(page), 4);
  // By keyboard: from a mark to the name of its lane.
  await lane(page, "bob").locator(".mark").focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await counted(rows(page), 1);
  await page.keyboard.press("s");
  await counted(rows(page), 4);
});

inspect("says that the list of sessions goes on below", async ({ server, page }) => {
  await crowd(server);
  await counted(page.locator(".lane"), 9);
  const more = page.locator(".lanes-more");
  await more.filter({ hasText: /^▾ [1-9] more sessions?$/ }).waitFor();
  const scroller = page.locator(".lane-scroller[data-below]");
  await scroller.waitFor();
  await page.locator(".lane").last().scrollIntoViewIfNeeded();
  await page.locator(".lane-scroller[data-above]:not([data-below])").waitFor();
  await more.waitFor({ state: "hidden" });
  await page.locator(".lane").first().scrollIntoViewIfNeeded();
  await more.click();
  await more.filter({ hasText: "Show fewer" }).waitFor();
  await page.locator(".lane-scroller:not([data-below])").waitFor();
  await more.click();
  await scroller.waitFor();
});

inspect("starts over when the daemon was restarted", async ({ page }) => {
  const first = serve();
  await open(page, first);
  await hook(first, "session-start", { agentId: "before" });
  await hook(first, "session-end", { agentId: "before" });
  await counted(rows(page), 2);
  await first.shutdown();
  await page.locator('#live[data-state="lost"]').waitFor();
  const second = serve({ port: first.port });
  try {
    await page.locator('#live[data-state="live"]').waitFor();
    await hook(second, "session-start", { agentId: "after" });
    await rows(page).filter({ hasText: "after" }).waitFor();
    await counted(rows(page), 1);
  } finally {
    await page.goto("about:blank");
    await second.shutdown();
  }
});
