import { assert, assertEquals } from "@std/assert";
import { HOSTILE_TEXTS } from "../../connectors/base/testing/hostile_texts.ts";
import { until } from "../../connectors/base/testing/until.ts";
import { Locks } from "../../hooks/agents/locks/locks.ts";
import { MonitorWorld } from "../worlds/agents/monitor_world.ts";
import { attack } from "./attack.js";
import { counted } from "./in_browser.ts";
import { lane, monitor, open, rows, toast } from "./monitor_stage.ts";
import { paintedPlaces } from "./painted_places.js";

monitor("says how to begin while there are no agents", async ({ world, page }) => {
  await page.locator("#begin h2", { hasText: "No agents yet" }).waitFor();
  await page.locator("#begin code", { hasText: "signet-connect setup --agents" }).waitFor();
  world.begin("codex", "bbbb2222");
  await lane(page, "codex-bbbb").waitFor();
  await page.locator("#begin").waitFor({ state: "hidden" });
  await page.getByText("No messages yet.").waitFor();
});

monitor("shows sessions, statuses, messages and locks as they happen", async ({ world, page }) => {
  const codex = world.begin("codex", "bbbb2222");
  const pi = world.begin("pi", "cccc3333", { project: "/home/u/heron" });
  await lane(page, "codex-bbbb").waitFor();
  await lane(page, "pi-cccc").filter({ hasText: "heron" }).waitFor();
  world.does(codex, "working", { tool: "Edit", file: "/home/u/larkspur/src/a.ts" });
  await lane(page, "codex-bbbb").filter({ hasText: "Edit a.ts" }).waitFor();
  world.does(pi, "waiting", { tool: "bash" });
  await lane(page, "pi-cccc").filter({ hasText: "waits for you" }).waitFor();
  await page.locator("#detail .note", { hasText: "pi-cccc waits for you" }).waitFor();
  const message = world.writes({ from: codex, to: pi, text: "Please look at a.ts", at: Date.now() });
  await rows(page).filter({ hasText: "codex-bbbb → pi-cccc" }).filter({ hasText: "waiting" }).waitFor();
  world.mesh.inbox.put(pi, message);
  world.mesh.inbox.shown(
    pi,
    world.mesh.inbox.take({ ...pi, agentId: "", project: "" }, "asked", { policy: "none" }).messages,
  );
  await rows(page).filter({ hasText: "seen" }).waitFor();
  await world.locks(codex, "/home/u/larkspur/src/a.ts", "rename");
  await lane(page, "a.ts").filter({ hasText: "codex-bbbb" }).waitFor();
  world.ends(pi);
  await lane(page, "pi-cccc").filter({ hasText: "ended" }).waitFor();
  assertEquals(await page.locator("#count-agents").innerText(), "1");
});

monitor(
  "draws statuses and locks as bars, and messages as arcs that can be chosen",
  async ({ world, page }) => {
    const now = Date.now();
    const codex = world.begin("codex", "bbbb2222", { at: now - 3_000_000 });
    world.does(codex, "working", { at: now - 2_900_000 });
    world.does(codex, "waiting", { at: now - 1_000_000 });
    const pi = world.begin("pi", "cccc3333", { at: now - 3_000_000 });
    world.writes({
      from: codex,
      to: pi,
      text: "in the middle",
      at: now - 1_500_000,
      seenAt: now - 1_400_000,
    });
    await world.locks(codex, "/home/u/larkspur/a.ts");
    await rows(page).first().waitFor();
    await lane(page, "a.ts").waitFor();
    for (const colour of ["working", "waiting", "idle", "message", "lock"]) {
      const places = await until(`${colour} is painted`, async () => {
        const found = await page.locator(".lane-canvas").evaluate(paintedPlaces, colour);
        return found.length > 0 && found;
      });
      assert(places.length > 0);
    }
    const dots = await page.locator(".lane-canvas").evaluate(paintedPlaces, "message");
    const place = dots[0];
    assert(place !== undefined);
    await page.mouse.move(place.x, place.y);
    await page.locator("#tip", { hasText: "in the middle" }).waitFor();
    await page.mouse.click(place.x, place.y);
    await page.locator("#detail .text", { hasText: "in the middle" }).waitFor();
    await page.locator("#list [aria-selected=true]", { hasText: "in the middle" }).waitFor();
  },
);

monitor("sends a message from the page", async ({ world, page }) => {
  const codex = world.begin("codex", "bbbb2222");
  await lane(page, "codex-bbbb").click();
  await page.locator("#detail h2", { hasText: "codex-bbbb" }).waitFor();
  await page.locator("form.send textarea").fill("Please <run> the tests");
  await page.locator("form.send select[name=priority]").selectOption("4");
  await page.getByRole("button", { name: "Send" }).click();
  await toast(page, "Sent to codex-bbbb.");
  assertEquals(await page.locator("form.send textarea").inputValue(), "");
  const [message] = world.mesh.inbox.peek(codex, "new");
  assertEquals([message?.text, message?.priority, message?.wants], ["Please <run> the tests", 4, "reply"]);
  await rows(page).filter({ hasText: "you → codex-bbbb" }).filter({ hasText: "urgent" }).waitFor();
  await lane(page, "You").waitFor();
});

monitor("keeps a draft while the session goes on", async ({ world, page }) => {
  const codex = world.begin("codex", "bbbb2222");
  await lane(page, "codex-bbbb").click();
  // Until then, the form is that of the overview.
  await page.locator("#detail h2", { hasText: "codex-bbbb" }).waitFor();
  await page.locator("form.send textarea").fill("half a sen");
  world.does(codex, "working", { tool: "Bash" });
  await page.locator("#detail .pairs", { hasText: "Bash" }).waitFor();
  assertEquals(await page.locator("form.send textarea").inputValue(), "half a sen");
  assertEquals(await page.evaluate("document.activeElement.name"), "text");
});

monitor("releases a lock after a question", async ({ world, page }) => {
  const codex = world.begin("codex", "bbbb2222");
  await world.locks(codex, "/home/u/larkspur/src/a.ts", "rename the columns");
  await lane(page, "a.ts").click();
  await page.locator("#detail", { hasText: "rename the columns" }).waitFor();
  const release = page.locator("#detail").getByRole("button", { name: "Release a.ts" });
  await release.click();
  await page.locator("#release").getByRole("button", { name: "Cancel" }).click();
  assertEquals(new Locks(world.mesh.dir).dir.list().length, 1);
  await release.click();
  await page.locator("#release", { hasText: "codex-bbbb holds /home/u/larkspur/src/a.ts" }).waitFor();
  await page.locator("#release").getByRole("button", { name: "Release" }).click();
  await toast(page, "Released a.ts");
  assertEquals(new Locks(world.mesh.dir).dir.list(), []);
  await page.locator("#detail", { hasText: "Nobody holds a lock on it now." }).waitFor();
  assert(world.mesh.inbox.peek(codex, "new")[0]?.text.includes("removed by force"));
});

monitor("says what it needs to release an agent's lock", async ({ world, page }) => {
  const codex = world.begin("codex", "bbbb2222");
  await world.locks(codex, "/home/u/larkspur/src/a.ts");
  const release = page.locator("#detail").getByRole("button", { name: "Release a.ts" });
  await release.waitFor();
  assert(await release.isDisabled());
  await page.locator("#detail", { hasText: "monitor --web --mode admin" }).waitFor();
  assert(await page.getByRole("button", { name: "Send" }).isEnabled());
}, { mode: "write" });

monitor("does not send in mode readonly", async ({ world, page }) => {
  world.begin("codex", "bbbb2222");
  await page.getByRole("button", { name: "Send" }).waitFor();
  assert(await page.getByRole("button", { name: "Send" }).isDisabled());
  await page.locator("#detail", { hasText: "--mode write" }).first().waitFor();
}, { mode: "readonly" });

monitor("searches the history", async ({ world, page }) => {
  const [codex, pi] = [world.begin("codex", "bbbb2222"), world.begin("pi", "cccc3333")];
  const at = Date.now();
  world.writes({ from: codex, to: pi, text: "Which database has Larkspur?", at });
  world.writes({ from: pi, to: codex, text: "Lunch is at noon.", at });
  await counted(rows(page), 2);
  await page.locator("#tab-history").click();
  await counted(page.locator("#history-list li"), 2);
  await page.locator("#history-words").fill("larkspur");
  await counted(page.locator("#history-list li"), 1);
  await page.locator("#history-list", { hasText: "Which database" }).waitFor();
  await page.locator("#history-words").fill('""');
  await page.locator("#history-count[data-bad]", { hasText: "no word" }).waitFor();
  await page.locator("#history-words").fill("nothing-like-this");
  await page.getByText("No message matches.").waitFor();
  await page.waitForURL((url) => url.searchParams.get("search") === "nothing-like-this");
  await page.reload();
  await page.locator("#history-words").waitFor();
  assertEquals(await page.locator("#history-words").inputValue(), "nothing-like-this");
});

const NASTY = '<script>window.owned = 1</script><img src=x onerror="window.owned = 2">';

monitor("shows names and messages as text, whatever is in them", async ({ world, page }) => {
  const at = Date.now();
  const bad = world.begin("codex", NASTY, { project: `/home/u/${NASTY}`, agentId: NASTY });
  const pi = world.begin("pi", "cccc3333");
  world.does(bad, "working", { tool: NASTY, file: `/p/${NASTY}` });
  await world.locks(bad, "/home/u/<img src=x onerror=window.owned=3>.ts", NASTY);
  world.writes({ from: bad, to: pi, text: NASTY, at, more: { thread: NASTY } });
  for (const [index, text] of HOSTILE_TEXTS.entries()) {
    world.writes({ from: pi, to: bad, text, at: at - 1000 - index });
  }
  await counted(rows(page), HOSTILE_TEXTS.length + 1);
  await rows(page).first().click();
  await page.locator("#detail .text", { hasText: "<script>window.owned = 1</script>" }).first().waitFor();
  for (const index of [1, 11, 23, 27]) {
    await rows(page).nth(index).click();
    await page.locator("#detail .text").first().waitFor();
  }
  await page.locator(".lane[data-kind=session] .lane-name", { hasText: "script" }).first().click();
  await page.locator("#detail", { hasText: "<script>window.owned = 1</script>" }).waitFor();
  await page.locator(".lane[data-kind=file] .lane-name").first().click();
  await page.locator("#detail", { hasText: "onerror" }).waitFor();
  await page.locator("#tab-history").click();
  await page.locator("#history-list li").first().waitFor();
  assertEquals(await page.evaluate("window.owned"), undefined);
  assertEquals(await page.locator("img, main script").count(), 0);
});

monitor("takes the token out of the address, and keeps it for a reload", async ({ world, page }) => {
  world.begin("codex", "bbbb2222");
  await lane(page, "codex-bbbb").waitFor();
  assert(!page.url().includes(world.token), page.url());
  await page.reload();
  await lane(page, "codex-bbbb").waitFor();
});

monitor("shows nothing without the token", async ({ world, page, context }) => {
  world.begin("codex", "bbbb2222");
  await lane(page, "codex-bbbb").waitFor();
  for (const fragment of ["", "#token=wrong", "#token="]) {
    const other = await context.newPage();
    await other.goto(`${world.url}/${fragment}`);
    await other.locator("#refused", { hasText: "Open the one that its terminal shows" }).waitFor();
    assertEquals(await other.locator(".lane").count(), 0);
    await other.close();
  }
});

monitor("is closed to pages of other sites, even if they know the token", async ({ world, context }) => {
  const codex = world.begin("codex", "bbbb2222");
  const site = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    () =>
      new Response("<!DOCTYPE html><title>evil</title><p>hello", {
        headers: { "content-type": "text/html" },
      }),
  );
  const evil = await context.newPage();
  try {
    await evil.goto(`http://127.0.0.1:${site.addr.port}/`);
    const outcomes = await evil.evaluate(attack, { url: world.url, token: world.token });
    assertEquals(outcomes, ["blocked", "blocked", "blocked", "opaque", "blocked", "answered"]);
    assertEquals(world.mesh.inbox.count(codex).waiting, 0);
  } finally {
    await evil.close();
    await site.shutdown();
  }
});

monitor("loads nothing from elsewhere", async ({ world, page }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.reload();
  world.begin("codex", "bbbb2222");
  await lane(page, "codex-bbbb").waitFor();
  assertEquals(asked.filter((url) => !url.startsWith(world.url) && !url.startsWith("data:")), []);
});

monitor("says when the monitor has ended", async ({ page, context }) => {
  const other = await context.newPage();
  {
    await using short = new MonitorWorld();
    await open(other, short);
  }
  await other.locator('#live[data-state="lost"]').waitFor();
  await other.close();
  await page.locator('#live[data-state="live"]').waitFor();
});
