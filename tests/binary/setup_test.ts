import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { CONNECT, Connected } from "../worlds/connected.ts";
import { Tmux } from "../worlds/tmux.ts";

/** A home with Claude Code's program and PyAgent's directory. */
async function machine() {
  const place = await Connected.create({ "bin/claude": "#!/bin/sh\necho '2.1.0 (Claude Code)'\n" });
  await place.world.sh("chmod 755 bin/claude");
  const { root, home } = place.world;
  const start = (...args: string[]) =>
    Tmux.start([CONNECT, "setup", ...args].join(" "), {
      dir: root,
      home,
      path: `${home}/bin:/usr/bin:/bin`,
    });
  return { place, start };
}

const [URL, KEY, AGENT, WHICH, GO] = [
  "Where is your Signet daemon?",
  "API key",
  "Agent id (whose memory to use)",
  "Which harnesses should be connected?",
  "Write these changes",
];

/** Answers one question after the other, up to the one that is named. */
async function answerUpTo(last: string, terminal: Tmux, place: Connected): Promise<void> {
  const answers: [string, () => Promise<void>][] = [
    [URL, () => terminal.press("C-u").then(() => terminal.type(place.url))],
    [KEY, () => terminal.type(place.key)],
    [AGENT, () => terminal.press("C-u").then(() => terminal.type("me/laptop"))],
    // Claude Code, which has a program here, is chosen already; PyAgent is first in the list.
    [WHICH, () => terminal.press("Space")],
    [GO, () => Promise.resolve()],
  ];
  for (const [question, answer] of answers) {
    await terminal.sees(question);
    if (question === last) return;
    await answer();
    await terminal.press("Enter");
  }
}

Deno.test("signet-connect setup finds, asks, shows, connects and proves", async () => {
  const { place, start } = await machine();
  await using _ = place;
  const { world } = place;
  const before = await world.snapshot();
  {
    await using terminal = await start();
    await answerUpTo(WHICH, terminal, place);
    const asked = await terminal.sees("Claude Code (2.1.0)");
    assertStringIncludes(asked, "- Claude Code: 2.1.0\n");
    assertStringIncludes(asked, "◼ Claude Code (2.1.0)");
    assertStringIncludes(asked, "◻ PyAgent (~/.pyagent, no program on PATH)");
    await terminal.press("Space");
    await terminal.press("Enter");
    const shown = await terminal.sees(GO);
    for (const file of [".pyagent/config.yaml", ".claude/settings.json"]) {
      assertStringIncludes(shown, `+++ ~/${file}\n`);
    }
    assertEquals(await world.snapshot(), before, "a diff writes nothing");
    await terminal.type("y");
    const ended = await terminal.sees("ended with 0");
    assertMatch(ended, /✓ Connected PyAgent to http:\S+ as agent me\/laptop/);
    assertMatch(ended, /✓ The session-start hook ran in/);
    assertStringIncludes(ended, "✓ Done. Start a new session in PyAgent, Claude Code");
    assertStringIncludes(ended, "signet-connect status --watch");
    assert(!ended.includes(place.key), "the key is never shown");
  }
  assertStringIncludes(await world.read(".claude/settings.json"), "/.local/bin/signet-claude-code");
  {
    await using again = await start("--url", place.url, "--agent-id", "me/laptop");
    await again.sees("✓ PyAgent: ~/.pyagent, no program on PATH, connected as me/laptop");
    await again.sees("API key (Enter keeps the stored one)");
    await again.press("Enter");
    await again.sees(WHICH);
    await again.press("Enter");
    assertStringIncludes(
      await again.sees("ended with 0"),
      "PyAgent is already connected; nothing to change",
    );
  }
  assertEquals((await place.connect(["uninstall", "--all"])).code, 0);
  assertEquals(await world.snapshot(), before);
});

Deno.test("signet-connect setup asks again when the daemon refuses the key or an answer is invalid", async () => {
  const { place, start } = await machine();
  await using _ = place;
  const before = await place.world.snapshot();
  await using terminal = await start();
  await terminal.sees(URL);
  await terminal.press("C-u");
  await terminal.type("ftp://nowhere");
  await terminal.press("Enter");
  await terminal.sees("▲");
  await terminal.press("C-u");
  await terminal.type(place.url);
  await terminal.press("Enter");
  await terminal.sees(KEY);
  await terminal.type("sig_sk_wrong_key");
  await terminal.press("Enter");
  await terminal.sees(AGENT);
  await terminal.press("Enter");
  await terminal.sees(WHICH);
  await terminal.press("Enter");
  const refused = await terminal.sees("Try again with another key");
  assertMatch(refused, /! The daemon at http:\S+ requires a valid API key \(HTTP 401/);
  assert(!refused.includes("sig_sk_wrong_key"));
  await terminal.press("C-c");
  await terminal.sees("ended with 1");
  assertEquals(await place.world.snapshot(), before);
});

Deno.test("signet-connect setup: Ctrl-C at any question leaves the home as it was", async () => {
  const { place, start } = await machine();
  await using _ = place;
  const before = await place.world.snapshot();
  for (const question of [URL, KEY, AGENT, WHICH, GO]) {
    await using terminal = await start();
    await answerUpTo(question, terminal, place);
    await terminal.press("C-c");
    assertStringIncludes(await terminal.sees("ended with 1"), "✗ Cancelled. Nothing was written.", question);
    assertEquals(await place.world.snapshot(), before, question);
  }
});

Deno.test("signet-connect setup: Ctrl-C while it waits to write leaves the home as it was", async () => {
  const { place, start } = await machine();
  await using _ = place;
  const { world } = place;
  // Another install holds the lock, so that this one is caught in the act for certain.
  await world.write(".local/state/signet/install.lock", "", 0o600);
  using lock = await Deno.open(`${world.home}/.local/state/signet/install.lock`, { write: true });
  await lock.lock(true);
  const before = await world.snapshot();
  await using terminal = await start();
  await answerUpTo(GO, terminal, place);
  await terminal.type("y");
  await terminal.sees("◇  Write these changes");
  await terminal.press("C-c");
  assertStringIncludes(await terminal.sees("ended with 1"), "✗ Interrupted. Nothing was changed.");
  assertEquals(await world.snapshot(), before);
});
