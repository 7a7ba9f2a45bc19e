import { assert, assertEquals } from "@std/assert";
import { play } from "./scene.ts";
import { counted, hook, inspect, rows } from "./stage.ts";

inspect("shows events as they happen, newest first", async ({ server, page }) => {
  assertEquals(await rows(page).count(), 0);
  await page.getByText("No requests yet.").waitFor();
  await hook(server, "session-start", { agentId: "alice", project: "/home/u/p" });
  await rows(page).filter({ hasText: "session-start" }).waitFor();
  await hook(server, "user-prompt-submit", { agentId: "alice", userMessage: "where is Larkspur?" });
  await rows(page).nth(1).waitFor();
  const first = await rows(page).first().innerText();
  for (const part of ["user-prompt-submit", "pyagent", "alice", "s1", "ok"]) {
    assert(first.includes(part), first);
  }
  assertEquals(await page.locator("#list-empty").isVisible(), false);
});

inspect("filters by agent, harness, event, text and warnings", async ({ server, page }) => {
  await hook(server, "session-start", { agentId: "alice", harness: "codex" });
  await hook(server, "session-start", { agentId: "bob", harness: "codex", sessionKey: "s2" });
  await hook(server, "session-end", { agentId: "bob", harness: "pi", sessionKey: "s3", oops: 1 });
  await rows(page).nth(2).waitFor();
  const shown = (count: number) => counted(rows(page), count);
  await page.locator("#filter-agent").selectOption("bob");
  await shown(2);
  await page.locator("#filter-harness").selectOption("codex");
  await shown(1);
  assert((await rows(page).first().innerText()).includes("bob"));
  assertEquals(await page.locator(".lane").count(), 1);
  await page.locator("#filter-agent").selectOption("");
  await shown(2);
  await page.locator("#filter-harness").selectOption("");
  await page.locator("#filter-event").selectOption("session-end");
  await shown(1);
  await page.locator("#filter-event").selectOption("");
  await page.locator("#filter-show").selectOption("warned");
  await shown(1);
  await page.locator("#filter-show").selectOption("failed");
  await shown(0);
  await page.getByText("No request passes the filters.").waitFor();
  await page.getByRole("button", { name: "Reset" }).click();
  await shown(3);
  await page.locator("#filter-text").fill("ALICE");
  await shown(1);
});

const NASTY = '<script>window.owned = 1</script><img src=x onerror="window.owned = 2">';

inspect("shows markup in a payload as text, everywhere", async ({ server, page }) => {
  await hook(server, "session-start", { agentId: NASTY, harness: NASTY, sessionKey: NASTY, project: NASTY });
  await hook(server, "remember", { content: NASTY, who: NASTY, [NASTY]: NASTY });
  await hook(server, "user-prompt-submit", { userMessage: `${NASTY}\n${NASTY}` });
  await rows(page).nth(2).waitFor();
  for (const index of [0, 1, 2]) {
    await rows(page).nth(index).click();
    await page.locator("#detail .json").first().waitFor();
    assert((await page.locator("#detail").innerText()).includes("<script>window.owned = 1</script>"));
  }
  await page.locator("#tab-memories").click();
  await page.locator(".memory").first().waitFor();
  assert((await page.locator(".memory").first().innerText()).includes(NASTY));
  assertEquals(await page.evaluate("window.owned"), undefined);
  assertEquals(await page.locator("img, main script").count(), 0);
});

inspect("shows payload, headers, warnings and answer of a request", async ({ server, page }) => {
  const key = server.daemon.createKey({ name: "bob", agentId: "bob" }).key;
  await fetch(`${server.url}/api/hooks/session-start`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ harness: "pyagent", session_key: "s1", project: "/home/u/p" }),
  }).then((response) => response.body?.cancel());
  await rows(page).first().click();
  const detail = page.locator("#detail");
  await detail.getByText("session_key is ignored; send sessionKey").waitFor();
  await detail.getByText("Injected context").waitFor();
  await detail.getByText('"/home/u/p"').waitFor();
  await detail.getByText("[redacted]").waitFor();
  assert(!(await page.content()).includes(key.slice(20)));
});

inspect("works by keyboard alone", async ({ server, page }) => {
  for (const name of ["session-start", "pre-compaction", "session-end"]) await hook(server, name, {});
  await rows(page).nth(2).waitFor();
  const selected = page.locator("#list [aria-selected=true] .event");
  const title = page.locator("#detail h2.title");
  await page.keyboard.press("Tab");
  assertEquals(await page.evaluate("document.activeElement.className"), "skip");
  await page.keyboard.press("Enter");
  await page.locator("#list").focus();
  await page.keyboard.press("ArrowDown");
  await selected.filter({ hasText: "pre-compaction" }).waitFor();
  await title.filter({ hasText: "pre-compaction" }).waitFor();
  await page.keyboard.press("j");
  await selected.filter({ hasText: "session-start" }).waitFor();
  await page.keyboard.press("Home");
  await selected.filter({ hasText: "session-end" }).waitFor();
  await page.keyboard.press("Enter");
  assertEquals(await page.evaluate("document.activeElement.id"), "detail");
  await page.keyboard.press("Escape");
  assertEquals(await page.evaluate("document.activeElement.id"), "list");
  await page.keyboard.press("/");
  await page.keyboard.type("pre-");
  await counted(page.locator("#list [role=option]"), 1);
  await page.keyboard.press("Escape");
  await page.keyboard.press("2");
  await page.locator("#memories").waitFor();
  await page.keyboard.press("1");
  await page.keyboard.press("?");
  assert(await page.locator("#help").isVisible());
  await page.keyboard.press("Escape");
  assert(!(await page.locator("#help").isVisible()));
});

inspect("draws sessions as lanes, whose events can be chosen", async ({ server, page }) => {
  await hook(server, "session-start", { sessionKey: "one" });
  await hook(server, "session-end", { sessionKey: "one" });
  await hook(server, "session-start", { sessionKey: "two", agentId: "bob" });
  await page.locator(".lane").nth(1).waitFor();
  const one = page.locator(".lane", { hasText: "one" });
  assertEquals(await one.locator(".mark").count(), 2);
  await one.locator(".mark").first().press("Enter");
  await page.locator("#detail h2.title", { hasText: "session-start" }).waitFor();
  await one.locator(".mark").first().focus();
  await page.keyboard.press("ArrowRight");
  await page.locator("#detail h2.title", { hasText: "session-end" }).waitFor();
});

inspect("searches memories", async ({ server, page }) => {
  await hook(server, "remember", { content: "the deploy runs on fridays" });
  await hook(server, "remember", { content: "lunch is at noon" });
  await page.locator("#tab-memories").click();
  await page.locator(".memory").nth(1).waitFor();
  await page.locator("#memory-query").fill("deploy");
  await counted(page.locator(".memory"), 1);
  assert((await page.locator(".memory").innerText()).includes("fridays"));
});

inspect("pauses, goes on, and clears", async ({ server, page }) => {
  await page.getByRole("button", { name: "Pause" }).click();
  await hook(server, "session-start", {});
  await page.getByRole("button", { name: "Resume (1)" }).click();
  await rows(page).first().waitFor();
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByText("No requests yet.").waitFor();
  assertEquals(server.daemon.requests(), []);
});

inspect("shows what each harness supports, if the daemon knows it", async ({ page }) => {
  await page.locator("#tab-harnesses").click();
  const table = await page.locator("#harnesses table").innerText();
  for (const part of ["Codex", "session-start", "yes", "partly", "no summary is given"]) {
    assert(table.includes(part), table);
  }
}, {
  matrix: [{
    id: "codex",
    displayName: "Codex",
    fidelity: {
      "session-start": "yes",
      "post-compaction": { partly: "no summary is given" },
      tools: { no: "none" },
    },
  }],
});

inspect("loads nothing from elsewhere", async ({ server, page }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.reload();
  await page.locator('#live[data-state="live"]').waitFor();
  await play(server);
  await rows(page).nth(5).waitFor();
  assertEquals(asked.filter((url) => !url.startsWith(server.url) && !url.startsWith("data:")), []);
});
