import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { clipboard, counted, hook, inspect, rows, script } from "./stage.ts";

const verdict = (page: Page) => page.locator("#verdict");
const toast = (page: Page, text: string) => page.locator("#toast", { hasText: text }).waitFor();

inspect("shows why a request failed before anything else", async ({ server, page }) => {
  await hook(server, "session-start", { sessionKey: "one" });
  await hook(server, "session-start", { sessionKey: "one", runtimePath: "plugin" });
  await rows(page).filter({ hasText: "session claimed by legacy path" }).click();
  await verdict(page).getByText("409 Conflict").waitFor();
  await verdict(page).getByText("remove one of them").waitFor();
  // Directly below the title, and in sight without scrolling.
  const order = await page.locator("#detail > *").evaluateAll((all) =>
    all.map((each) => each.id || each.className)
  );
  assertEquals(order.slice(0, 2), ["title", "verdict"]);
  await script(server, { route: "session-end", reset: true, times: 2 });
  await hook(server, "session-end", { sessionKey: "one" }).catch(() => {});
  await rows(page).filter({ hasText: "reset" }).first().click();
  await verdict(page).getByText("closed the connection without a response").waitFor();
  await rows(page).last().click();
  await page.locator("#detail h2.title", { hasText: "ok" }).waitFor();
  assertEquals(await verdict(page).count(), 0);
});

/** Runs a copied command as it is, in a shell whose environment has the key. */
async function shell(command: string, key: string): Promise<string> {
  const { stdout, stderr, success } = await new Deno.Command("sh", {
    args: ["-c", command],
    env: { SIGNET_API_KEY: key },
  }).output();
  assert(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

inspect(
  "copies a request as a curl command that sends the same, without a key in it",
  async ({ server, page }) => {
    const { key } = server.daemon.createKey({ name: "bob", scope: { agent: "bob" } });
    const body = {
      harness: "pyagent",
      sessionKey: "s1",
      runtimePath: "legacy",
      agentId: "bob",
      project: `/home/u/it's "odd" $(id)\n\`x\``,
    };
    const response = await fetch(`${server.url}/api/hooks/session-start?debug=a+b%26c`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "x-signet-agent-id": "bob",
      },
      body: JSON.stringify(body),
    });
    await response.body?.cancel();
    await rows(page).first().click();
    await page.getByRole("button", { name: "Copy as curl" }).click();
    await toast(page, "$SIGNET_API_KEY");
    const command = await clipboard(page);
    assert(!command.includes(key.slice(7)) && !command.includes("redacted"), command);
    assert(JSON.parse(await shell(command, key)).inject !== undefined);
    const [first, again] = server.daemon.requests();
    for (const field of ["method", "path", "query", "body", "agent", "status"] as const) {
      assertEquals(again?.[field], first?.[field], field);
    }
    assertEquals(again?.headers["x-signet-agent-id"], "bob");
    await page.getByRole("button", { name: "Copy payload" }).click();
    await toast(page, "Copied the payload");
    assertEquals(JSON.parse(await clipboard(page)), body);
  },
  { auth: "team" },
);

inspect("shows the text to copy where the browser forbids copying", async ({ server, page }) => {
  await page.addInitScript({
    content: 'navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"));',
  });
  await page.reload();
  await hook(server, "session-start", {});
  await rows(page).first().click();
  await page.getByRole("button", { name: "Copy as curl" }).click();
  assert((await page.locator("#copy-text").inputValue()).startsWith("curl -sS -X POST"));
});

inspect("replays a request to this daemon, and marks it in the record", async ({ server, page }) => {
  await hook(server, "user-prompt-submit", { userMessage: "where is Larkspur?" });
  await rows(page).first().click();
  await page.getByRole("button", { name: "Replay" }).click();
  await toast(page, "Replayed request 1");
  await counted(rows(page), 2);
  await page.locator("#detail").getByText("Replay of").waitFor();
  const [first, again] = server.daemon.requests();
  assertEquals([first?.replayOf, again?.replayOf], [undefined, 1]);
  assertEquals([again?.path, again?.body, again?.status], [first?.path, first?.body, 200]);
  assertEquals(again?.headers["sec-fetch-site"], "same-origin");
  await rows(page).first().getByText("↻ replay").waitFor();
  await page.getByRole("button", { name: "request 1" }).click();
  await page.locator("#request-1[aria-selected=true]").waitFor();
  await page.locator("#filter-show").selectOption("replayed");
  await counted(rows(page), 1);
});

inspect("asks for a key before it replays a request that had one", async ({ server, page }) => {
  const { key } = server.daemon.createKey({ name: "bob", scope: { agent: "bob" } });
  const send = (headers: Record<string, string>) =>
    fetch(`${server.url}/api/hooks/session-start`, {
      method: "POST",
      headers,
      body: JSON.stringify({ harness: "pi", sessionKey: "s1", runtimePath: "legacy", agentId: "bob" }),
    }).then((response) => response.body?.cancel());
  await send({ authorization: `Bearer ${key}` });
  await rows(page).first().click();
  await page.getByRole("button", { name: "Replay" }).click();
  const form = page.locator("#detail form");
  await form.getByText("which the record does not contain").waitFor();
  assertEquals(server.daemon.requests().length, 1);
  await form.getByRole("button", { name: "Cancel" }).click();
  await counted(form, 0);
  await page.getByRole("button", { name: "Replay" }).click();
  await form.getByLabel("API key").fill(key);
  await form.getByLabel("API key").press("Enter");
  await toast(page, "Replayed");
  await counted(rows(page), 2);
  assertEquals(server.daemon.requests().map(({ status, replayOf }) => [status, replayOf]), [
    [200, undefined],
    [
      200,
      1,
    ],
  ]);
  assert(!(await page.content()).includes(key.slice(20)) && !page.url().includes(key.slice(20)));
}, { auth: "team" });

inspect(
  "asks before it replays a deletion, and refuses what it does not know whole",
  async ({ server, page }) => {
    await fetch(`${server.url}/api/memory/nothing?reason=x`, { method: "DELETE" })
      .then((response) => response.body?.cancel());
    await hook(server, "remember", { content: "x", token: "hunter2hunter2" });
    await rows(page).filter({ hasText: "DELETE" }).click();
    await page.getByRole("button", { name: "Replay" }).click();
    await page.locator("#detail form").getByText("changes what this daemon stores").waitFor();
    await page.getByRole("button", { name: "Send again" }).click();
    await counted(rows(page), 3);
    await rows(page).filter({ hasText: "remember" }).click();
    await page.locator("#detail h2.title", { hasText: "remember" }).waitFor();
    const again = page.getByRole("button", { name: "Replay" });
    assert(await again.isDisabled());
    assertEquals(await again.getAttribute("title"), "Cannot be replayed: a key in it was redacted");
  },
);

/** The text of the file that a click saves. */
async function saved(page: Page, button: string): Promise<{ name: string; text: string }> {
  await page.locator("#export summary").click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator(button).click()]);
  return { name: download.suggestedFilename(), text: await Deno.readTextFile(await download.path()) };
}

inspect("exports what the filters show, as HAR and as JSON lines", async ({ server, page }) => {
  await hook(server, "session-start", { agentId: "alice" });
  await hook(server, "session-start", { agentId: "bob", sessionKey: "s2" });
  await hook(server, "session-end", { agentId: "bob", sessionKey: "s2" });
  await counted(rows(page), 3);
  await page.locator("#filter-agent").selectOption("bob");
  await counted(rows(page), 2);
  const har = await saved(page, "#export-har");
  assert(/^signet-requests-[0-9T-]+\.har$/.test(har.name), har.name);
  const { log } = JSON.parse(har.text);
  assertEquals(log.version, "1.2");
  assertEquals(
    log.entries.map(({ request }: { request: { url: string } }) => request.url.replace(server.url, "")),
    ["/api/hooks/session-start", "/api/hooks/session-end"],
  );
  const lines = await saved(page, "#export-jsonl");
  assertEquals(
    lines.text.trimEnd().split("\n").map((line) => JSON.parse(line)),
    JSON.parse(JSON.stringify(server.daemon.requests({ agent: "bob" }))),
  );
  await toast(page, "Saved 2 requests");
});

inspect("compares two requests, by mouse and by keyboard", async ({ server, page }) => {
  await hook(server, "remember", { content: "We chose Postgres for Larkspur." });
  await hook(server, "user-prompt-submit", { userMessage: "Which database does Larkspur use?" });
  await hook(server, "user-prompt-submit", { userMessage: "What is the time?", extra: 1 });
  await counted(rows(page), 3);
  const detail = page.locator("#detail");
  const change = (path: string) =>
    detail.locator(".changes li", { has: page.locator("code", { hasText: new RegExp(`^${path}$`) }) });
  await rows(page).nth(1).click();
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await detail.getByText("This is A.").waitFor();
  await rows(page).nth(0).click();
  await detail.getByText("Comparison").waitFor();
  assertEquals(await change("userMessage").locator("p span").allInnerTexts(), [
    "Which database does Larkspur use?",
    "What is the time?",
  ]);
  assertEquals(await change("extra").locator("p").allInnerTexts(), ["A\nabsent", "B\n1"]);
  assertEquals(await change("harness").count(), 0);
  await detail.getByRole("button", { name: "Swap" }).click();
  await change("extra").locator("p").first().getByText("1").waitFor();
  await page.keyboard.press("c");
  await detail.locator("h2.title", { hasText: "user-prompt-submit" }).waitFor();
  await page.locator("#list").focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("c");
  await page.keyboard.press("ArrowDown");
  await detail.getByText("Comparison").waitFor();
  await page.locator("#comparing").click();
  await detail.locator("h2.title", { hasText: "user-prompt-submit" }).waitFor();
  await rows(page).nth(2).click({ modifiers: ["Shift"] });
  await detail.getByText("Comparison").waitFor();
});
