import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { serve } from "../../mock_daemon/mod.ts";
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

const [URL, KEY, AGENT, WHICH, MESH, GO, HELLO] = [
  "Where is your Signet daemon?",
  "API key",
  "Agent id (whose memory to use)",
  "Which harnesses should be connected?",
  "be able to find and message each other?",
  "Write these changes",
  "Press Enter to skip",
];

async function answer(terminal: Tmux, text: string): Promise<void> {
  await terminal.type(text);
  await terminal.press("Enter");
}

/** Answers one question after the other, up to the one that is named. */
async function answerUpTo(last: string, terminal: Tmux, place: Connected): Promise<void> {
  const answers: [string, () => Promise<void>][] = [
    [URL, () => answer(terminal, place.url)],
    [KEY, () => answer(terminal, place.key)],
    [AGENT, () => answer(terminal, "me/laptop")],
    // Claude Code, which has a program here, is chosen already; PyAgent is first in the list.
    [WHICH, () => terminal.press("Space").then(() => terminal.press("Enter"))],
    [MESH, () => answer(terminal, "n")],
    [GO, () => terminal.type("y")],
    [HELLO, () => Promise.resolve()],
  ];
  for (const [question, reply] of answers) {
    await terminal.sees(question);
    if (question === last) return;
    await reply();
  }
}

Deno.test("signet-connect setup finds, asks, shows, connects and waits for the first hook", async () => {
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
    await terminal.sees(MESH);
    await terminal.press("Enter");
    await terminal.sees("Type y or n.");
    await answer(terminal, "n");
    const shown = await terminal.sees(GO);
    assertMatch(shown, /^ {2}~\/\.claude\/settings\.json +\+\d+ −\d+$/m);
    assertMatch(shown, /^ {2}~\/\.pyagent\/config\.yaml +\+\d+ −0$/m);
    assertMatch(shown, /^ {2}~\/\.local\/bin\/signet-connect +program$/m);
    assert(!shown.includes("+++"), "the summary is no diff");
    await terminal.type("d");
    assertStringIncludes(await terminal.sees("+++ ~/.claude/settings.json"), "+++ ~/.pyagent/config.yaml");
    assertEquals(await world.snapshot(), before, "nothing is written before the last answer");
    await terminal.press("Enter");
    await terminal.sees("Now open PyAgent or claude and say hello");
    assertEquals((await place.hook("claude-code")).code, 0);
    const ended = await terminal.sees("ended with 0");
    assertMatch(ended, /✓ Claude Code said hello: \d+ ms/);
    assertMatch(ended, /✓ Connected PyAgent to http:\S+ as agent me\/laptop/);
    assertMatch(ended, /✓ The session-start hook ran in/);
    assertStringIncludes(ended, "signet-connect log --follow");
    assert(!ended.includes(place.key), "the key is never shown");
  }
  assertStringIncludes(await world.read(".claude/settings.json"), "signet-claude-code");
  {
    await using again = await start("--url", place.url, "--agent-id", "me/laptop");
    await again.sees("✓ PyAgent: ~/.pyagent, no program on PATH, connected as me/laptop");
    await again.sees("API key (Enter keeps the stored one)");
    await again.press("Enter");
    await again.sees(WHICH);
    await again.press("Enter");
    const ended = await again.sees("ended with 0");
    assertStringIncludes(ended, "PyAgent is already connected; nothing to change");
    assert(!ended.includes("say hello"), "nothing was installed, so there is nothing to prove");
  }
  assertEquals((await place.connect(["uninstall", "--all"])).code, 0);
  assertEquals(await world.snapshot(), before);
});

Deno.test("signet-connect setup asks a daemon in local mode for no key, and can skip the wait", async () => {
  const { place, start } = await machine();
  await using _ = place;
  const local = serve();
  await using _local = { [Symbol.asyncDispose]: () => local.shutdown() };
  await using terminal = await start("claude-code");
  await terminal.sees(URL);
  // Without http://, as people type it.
  await answer(terminal, local.url.replace("http://", ""));
  const asked = await terminal.sees(AGENT);
  assertStringIncludes(asked, `✓ The daemon at ${local.url} answers and needs no key`);
  assert(!asked.includes(KEY));
  await terminal.press("Enter");
  await terminal.sees(MESH);
  await answer(terminal, "y");
  await terminal.sees(GO);
  await terminal.type("y");
  await terminal.sees("Now open claude and say hello");
  await terminal.sees(HELLO);
  await terminal.press("Enter");
  assertStringIncludes(await terminal.sees("ended with 0"), "Skipped.");
  assertStringIncludes(await place.world.read(".claude/settings.json"), "hook post-tool");
});

Deno.test("signet-connect setup: a dead URL, plain http elsewhere and nonsense are asked for again", async () => {
  const { place, start } = await machine();
  await using _ = place;
  const before = await place.world.snapshot();
  await using terminal = await start("claude-code");
  await terminal.sees(URL);
  await answer(terminal, "http://10.1.2.3:3850");
  await terminal.sees("plain http to another machine");
  await terminal.press("C-u");
  await answer(terminal, "ftp://nowhere");
  await terminal.sees("neither http nor https");
  await terminal.press("C-u");
  await answer(terminal, "http://127.0.0.1:9");
  await terminal.sees("! The daemon at http://127.0.0.1:9 is not reachable");
  await terminal.sees("press Enter to try again");
  assertEquals(await place.world.snapshot(), before);
  await answer(terminal, place.url);
  await terminal.sees(KEY);
});

Deno.test("signet-connect setup: after a wrong key only the key is asked for again", async () => {
  const { place, start } = await machine();
  await using _ = place;
  await using terminal = await start("claude-code");
  await answerUpTo(KEY, terminal, place);
  await terminal.press("Enter");
  await terminal.sees("This daemon needs a key");
  await answer(terminal, "sig_sk_0123456789ab_d3JvbmctYnV0LWluLXRoZS1yaWdodC1mb3JtLTEyMzQ");
  const refused = await terminal.sees("Type the key again");
  assertMatch(refused, /! The daemon at http:\S+ requires a valid API key \(HTTP 401/);
  assertEquals(refused.split(URL).length, 2, "the URL was right and is kept");
  assert(!refused.includes("d3Jvbmct"));
  await answer(terminal, place.key);
  await terminal.sees(AGENT);
});

Deno.test("signet-connect setup: with a key for one agent, Enter at the agent question takes that agent", async () => {
  const { place, start } = await machine();
  await using _ = place;
  const { key } = place.daemon.daemon.state.keys.create({ name: "bob's", scope: { agent: "bob" } });
  await using terminal = await start("claude-code");
  await terminal.sees(URL);
  await answer(terminal, place.url);
  await terminal.sees(KEY);
  await answer(terminal, key ?? "");
  await terminal.sees(AGENT);
  await answer(terminal, "alice");
  const refused = await terminal.sees("Press Enter to use agent bob");
  assertMatch(refused, /! The key belongs to agent bob, not to alice: http:\S+ refuses it \(HTTP 403\)/);
  await terminal.press("Enter");
  await terminal.sees(MESH);
  await answer(terminal, "n");
  await terminal.sees(GO);
  await terminal.type("y");
  await terminal.sees(HELLO);
  assertStringIncludes(await terminal.screen(), "as agent bob");

  await using enter = await start("claude-code", "--url", place.url);
  await enter.sees(KEY);
  await answer(enter, key ?? "");
  await enter.sees(AGENT);
  await enter.press("Enter");
  assertStringIncludes(await enter.sees("ended with 0"), "Claude Code is already connected");
});

Deno.test("signet-connect setup: Ctrl-C at any question exits 130 and leaves the home as it was", async () => {
  const { place, start } = await machine();
  await using _ = place;
  const before = await place.world.snapshot();
  for (const question of [URL, KEY, AGENT, WHICH, MESH, GO]) {
    await using terminal = await start();
    await answerUpTo(question, terminal, place);
    await terminal.press("C-c");
    assertStringIncludes(
      await terminal.sees("ended with 130"),
      "✗ Cancelled. Nothing was written.",
      question,
    );
    assertEquals(await place.world.snapshot(), before, question);
  }
  await using waiting = await start();
  await answerUpTo(HELLO, waiting, place);
  await waiting.press("C-c");
  assertStringIncludes(await waiting.sees("ended with 130"), "everything is connected");
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
  assertStringIncludes(await terminal.sees("ended with 130"), "✗ Interrupted. Nothing was changed.");
  assertEquals(await world.snapshot(), before);
});
