import { assertEquals, assertLess, assertMatch, assertStringIncludes } from "@std/assert";
import { flush } from "../hooks/spool/flush.ts";
import { loadSettings } from "../hooks/daemon/settings.ts";
import { readLastInject } from "../hooks/state/last_inject.ts";
import { HANG_MS, until } from "../connectors/base/testing/until.ts";
import { FaultyDaemon, type Received } from "./worlds/daemon/faulty_daemon.ts";
import { SampleHome } from "./worlds/hooks/sample_home.ts";
import { SessionNotes } from "../hooks/state/session_notes.ts";

const STUB = "[memory active | /remember | /recall]\n# Current Date & Time\nMonday";
const FULL = "# Identity\nYou are Ada.\n## Memories\n- likes tea";
const CWD = "/home/u/proj";

/** A daemon that answers as Signet B does: the first text once per session, then the stub. */
function likeB(daemon: FaultyDaemon): { restart(): void } {
  const told = new Set<string>();
  let claimed = new Set<string>();
  daemon.answer = ({ path, body }: Received) => {
    const key = String(body.sessionKey);
    const known = claimed.has(key);
    if (path.endsWith("/session-start")) {
      claimed.add(key);
      const stub = told.has(key) && body.sessionKey !== undefined;
      told.add(key);
      return { identity: { name: stub ? "Agent" : "Ada" }, memories: [], inject: stub ? STUB : FULL };
    }
    if (path.endsWith("/user-prompt-submit")) {
      return { inject: `about ${body.userMessage}`, memoryCount: 1, sessionKnown: known };
    }
    if (path.endsWith("/pre-compaction")) return { summaryPrompt: "keep the tea", guidelines: "" };
    return { memoriesSaved: 0, queued: false, success: true };
  };
  return {
    restart() {
      claimed = new Set();
      told.clear();
    },
  };
}

function paths(daemon: FaultyDaemon): string[] {
  return daemon.received.map(({ path }) => path.replace("/api/hooks/", ""));
}

Deno.test("a session gets its text once, prompts, compacts, gets the text again, and ends", async () => {
  await using daemon = new FaultyDaemon();
  likeB(daemon);
  await using home = await SampleHome.make(daemon.url);
  const base = { session_id: "s1", cwd: CWD };
  const transcript = `${home.path}/t.jsonl`;
  await Deno.writeTextFile(
    transcript,
    [["user", "what do I drink?"], ["assistant", "Tea."]].map(([type, content]) =>
      JSON.stringify({ type, message: { role: type, content } })
    ).join("\n"),
  );
  const first = await home.hook("session-start", { stdin: { ...base, source: "startup" } });
  assertEquals([first.code, first.stdout, first.stderr], [0, FULL, ""]);
  const prompt = await home.hook("user-prompt-submit", { stdin: { ...base, prompt: "tea" } });
  assertEquals([prompt.code, prompt.stdout], [0, "about tea"]);
  const { event, session, text } = readLastInject(home.state) ?? {};
  assertEquals([event, session, text], ["user-prompt-submit", "s1", "about tea"], "what `log --last` shows");
  await home.hook("user-prompt-submit", { stdin: { session_id: "test-doctor-1", prompt: "rehearsal" } });
  assertEquals(readLastInject(home.state)?.text, "about tea", "doctor does not hide it");
  daemon.received.pop();
  assertEquals((await home.hook("pre-compaction", { stdin: base })).stdout, "keep the tea");
  const again = await home.hook("session-start", { stdin: { ...base, source: "compact" } });
  assertEquals(again.stdout, FULL, "the daemon answered only its stub");
  assertEquals((await home.hook("session-start", { stdin: { ...base, source: "resume" } })).stdout, STUB);
  await home.hook("compaction-complete", { stdin: { ...base, compact_summary: "they drink tea" } });
  await home.hook("session-end", { stdin: { ...base, reason: "other", transcript_path: transcript } });
  await home.delivered();
  await home.hook("session-end", { stdin: { ...base, reason: "other", transcript_path: transcript } });
  await home.quiet();
  assertEquals(
    paths(daemon).filter((path) => path === "session-end").length,
    1,
    "a second end is the same end",
  );
  const end = daemon.received.find(({ path }) => path.endsWith("session-end"));
  assertEquals(end?.body.transcript, "User: what do I drink?\n\nAssistant: Tea.");
  assertEquals([end?.body.cwd, end?.body.reason, end?.body.transcriptPath], [CWD, "other", undefined]);
  const summary = daemon.received.find(({ path }) => path.endsWith("compaction-complete"));
  assertEquals([summary?.body.summary, summary?.body.project], ["they drink tea", CWD]);
  assertEquals(home.outcomes("session-start"), ["ok", "again", "stub"]);
});

Deno.test("a daemon that restarted gets its session back, and the agent gets nothing twice", async () => {
  await using daemon = new FaultyDaemon();
  const b = likeB(daemon);
  await using home = await SampleHome.make(daemon.url);
  const base = { session_id: "s1", cwd: CWD };
  await home.hook("session-start", { stdin: base });
  b.restart();
  const prompts = [];
  for (const prompt of ["one", "two"]) {
    prompts.push((await home.hook("user-prompt-submit", { stdin: { ...base, prompt } })).stdout);
  }
  assertEquals(prompts, ["about one", "about two"]);
  assertEquals(paths(daemon), ["session-start", "user-prompt-submit", "session-start", "user-prompt-submit"]);
  assertEquals(daemon.received[2]?.body.claimOnly, true);
  assertEquals((await home.hook("session-start", { stdin: { ...base, source: "resume" } })).stdout, STUB);
  b.restart();
  assertEquals((await home.hook("session-start", { stdin: { ...base, source: "resume" } })).stdout, "");
  assertEquals(home.outcomes("session-start").at(-1), "repeat");
});

Deno.test("a session that began without the daemon gets its text when the daemon is back", async () => {
  await using daemon = new FaultyDaemon();
  likeB(daemon);
  daemon.stop();
  await using home = await SampleHome.make(daemon.url);
  await Deno.mkdir(`${home.path}/.agents`);
  await Deno.writeTextFile(`${home.path}/.agents/SOUL.md`, "a kind soul");
  const base = { session_id: "s1", cwd: CWD };
  const start = await home.hook("session-start", { stdin: base });
  assertMatch(
    start.stdout,
    /^Signet: The daemon at \S+ is not reachable\. [^\n]+\n\n## Soul\n\na kind soul$/,
  );
  assertEquals((await home.hook("user-prompt-submit", { stdin: { ...base, prompt: "one" } })).stdout, "");
  await daemon.start();
  const prompt = (text: string) => home.hook("user-prompt-submit", { stdin: { ...base, prompt: text } });
  assertEquals((await prompt("two")).stdout, `${FULL}\n\nabout two`);
  assertEquals((await prompt("three")).stdout, "about three");
});

Deno.test("injectAt first-prompt: the first text comes with the first prompt, once", async () => {
  await using daemon = new FaultyDaemon();
  likeB(daemon);
  await using home = await SampleHome.make(daemon.url, {
    injectAt: "first-prompt",
    injectedTags: ["hook_context"],
  });
  const base = { session_id: "g1", cwd: CWD };
  assertEquals((await home.hook("session-start", { stdin: base })).stdout, "");
  const prompt = (session_id: string, text: string) =>
    home.hook("user-prompt-submit", { stdin: { ...base, session_id, prompt: text } });
  assertEquals(
    (await prompt("g1", "<hook_context>old</hook_context>\n\none")).stdout,
    `${FULL}\n\nabout one`,
  );
  assertEquals((await prompt("g1", "two")).stdout, "about two");
  assertEquals((await prompt("g2", "three")).stdout, `${FULL}\n\nabout three`, "a session without a start");
});

Deno.test("keepsContext false: the first text comes with every session start", async () => {
  await using daemon = new FaultyDaemon();
  likeB(daemon);
  await using home = await SampleHome.make(daemon.url, { keepsContext: false });
  for (const source of ["startup", "resume"]) {
    assertEquals((await home.hook("session-start", { stdin: { session_id: "o1", source } })).stdout, FULL);
  }
});

Deno.test("each checkpoint is sent with the transcript", async () => {
  await using daemon = new FaultyDaemon();
  await using home = await SampleHome.make(daemon.url);
  const stdin = { session_id: "c1", cwd: CWD, transcript: [{ role: "user", content: "hi" }] };
  for (let turn = 0; turn < 2; turn++) await home.hook("checkpoint", { stdin });
  assertEquals(paths(daemon), ["session-checkpoint-extract", "session-checkpoint-extract"]);
  assertEquals(daemon.received[0]?.body.transcript, "User: hi");
});

Deno.test("SIGNET_NO_HOOKS, SIGNET_BYPASS and readonly mode switch a hook off without a trace", async () => {
  await using daemon = new FaultyDaemon();
  await using home = await SampleHome.make(daemon.url);
  const guards = { SIGNET_NO_HOOKS: "1", SIGNET_BYPASS: "1", SIGNET_CONNECTOR_MODE: "readonly" };
  for (const [name, value] of Object.entries(guards)) {
    const ended = await home.hook("session-start", { env: { [name]: value } });
    assertEquals([ended.code, ended.stdout, ended.stderr], [0, "", ""]);
  }
  assertEquals([daemon.received.length, home.log().length], [0, 0]);
});

Deno.test("wrong arguments still exit 0, silently; --help prints the usage", async () => {
  await using daemon = new FaultyDaemon();
  await using home = await SampleHome.make(daemon.url);
  for (const args of [["bogus"], ["--nonsense"], [""]]) {
    const ended = await home.hook(args[0] ?? "", { args: args.slice(1) });
    assertEquals([ended.code, ended.stdout, ended.stderr], [0, "", ""], args.join(" "));
  }
  assertEquals(home.log("usage").length, 3);
  const help = await home.hook("--help");
  assertEquals(help.code, 0);
  assertStringIncludes(help.stdout, "Usage: <bin> hook EVENT");
});

Deno.test("the environment's key goes with the environment's URL, the stored key with the stored one", async () => {
  await using stored = new FaultyDaemon();
  await using other = new FaultyDaemon();
  await using home = await SampleHome.make(other.url);
  const dir = `${home.path}/.config/signet/connectors`;
  await Deno.mkdir(dir, { recursive: true });
  const settings = { url: stored.url, apiKey: "sig_sk_stored", agentId: "me/stored", machineId: "m1" };
  await Deno.writeTextFile(`${dir}/sample.json`, JSON.stringify(settings), { mode: 0o600 });
  await home.hook("session-start", { stdin: { session_id: "k" } });
  await home.hook("session-start", { stdin: { session_id: "k" }, env: { SIGNET_API_KEY: "sig_sk_env" } });
  await home.hook("session-start", { stdin: { session_id: "k" }, env: { SIGNET_DAEMON_URL: undefined } });
  const sent = (daemon: FaultyDaemon) => daemon.received.map(({ headers }) => headers.get("authorization"));
  assertEquals(sent(other), [undefined, "Bearer sig_sk_env"]);
  assertEquals(sent(stored), ["Bearer sig_sk_stored"]);
  assertEquals(stored.received[0]?.headers.get("x-signet-agent-id"), "me/stored");
  const text = await Deno.readTextFile(`${home.state}/hook.log`);
  assertEquals(text.includes("sig_sk_"), false);
});

Deno.test("session-end with unusable settings is kept for the agent that they name once they are fixed", async () => {
  await using daemon = new FaultyDaemon();
  await using home = await SampleHome.make(daemon.url);
  const path = `${home.path}/.config/signet/connectors/sample.json`;
  await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  await Deno.writeTextFile(path, JSON.stringify({ url: daemon.url, agentId: "me/stored" }));
  await Deno.chmod(path, 0o644);
  const env = { SIGNET_DAEMON_URL: undefined };
  assertEquals((await home.hook("session-end", { stdin: { session_id: "m" }, env })).code, 0);
  assertEquals(home.spool.list().length, 1);
  await Deno.chmod(path, 0o600);
  const host = { os: Deno.build.os, env: (name: string) => name === "HOME" ? home.path : undefined };
  await flush(loadSettings("sample", host), { host });
  await home.delivered();
  const [end] = daemon.received;
  assertEquals([end?.body.sessionKey, end?.body.agentId], ["m", "me/stored"]);
  assertEquals(end?.headers.get("x-signet-agent-id"), "me/stored");
});

Deno.test("session starts alone, without any drain, keep the number of notes bounded", async () => {
  await using daemon = new FaultyDaemon();
  await using home = await SampleHome.make(daemon.url);
  const notes = new SessionNotes(home.state, daemon.url, "default");
  for (let i = 0; i < 300; i++) notes.write(`s${i}`, { given: "daemon" });
  await home.hook("session-start", { stdin: { session_id: "new", cwd: CWD } });
  assertEquals([...Deno.readDirSync(`${home.state}/sessions`)].length, 200);
  assertEquals(home.drains(), []);
});

Deno.test("a URL from the environment that names another machine sends nothing without a key", async () => {
  await using daemon = new FaultyDaemon();
  daemon.answer = () => ({ inject: "hello" });
  await using home = await SampleHome.make(daemon.url);
  const stdin = { session_id: "s", cwd: CWD, prompt: "my secret plan" };
  const elsewhere = { SIGNET_DAEMON_URL: "https://signet.invalid" };
  for (const event of ["session-start", "user-prompt-submit"]) {
    assertEquals((await home.hook(event, { stdin, env: elsewhere })).stdout, "");
    assertEquals(home.outcomes(event), ["blocked"]);
    assertEquals((await home.hook(event, { stdin })).stdout, "hello", "this machine needs no key");
  }
});

Deno.test("the end of a session that never started, and has no transcript, is not recorded", async () => {
  await using daemon = new FaultyDaemon();
  likeB(daemon);
  await using home = await SampleHome.make(daemon.url);
  const missing = `${home.path}/none.jsonl`;
  const end = (session_id: string, transcript_path: string) =>
    home.hook("session-end", { stdin: { session_id, transcript_path, cwd: CWD, reason: "other" } });
  // As `claude mcp list` does.
  assertEquals((await end("never", missing)).code, 0);
  assertEquals(home.outcomes("session-end"), ["unknown session"]);
  // A session that started counts, and so does one with a conversation.
  await home.hook("session-start", { stdin: { session_id: "known", cwd: CWD } });
  await end("known", missing);
  const transcript = `${home.path}/t.jsonl`;
  await Deno.writeTextFile(transcript, JSON.stringify({ type: "user", message: { content: "hello" } }));
  await end("offline", transcript);
  await home.delivered();
  assertEquals(home.outcomes("session-end").slice(1), ["spooled", "spooled"]);
  const ends = daemon.received.filter(({ path }) => path.endsWith("/session-end"));
  assertEquals(ends.map(({ body }) => body.sessionKey), ["known", "offline"]);
});

Deno.test("restoresAt next-prompt: after a compaction the next prompt brings the text back, once", async () => {
  await using daemon = new FaultyDaemon();
  likeB(daemon);
  await using home = await SampleHome.make(daemon.url, { restoresAt: "next-prompt" });
  const base = { session_id: "c1", cwd: CWD };
  const prompt = async (text: string) =>
    (await home.hook("user-prompt-submit", { stdin: { ...base, prompt: text } })).stdout;
  await home.hook("session-start", { stdin: base });
  assertEquals(await prompt("one"), "about one");
  await home.hook("pre-compaction", { stdin: base });
  assertEquals(await prompt("two"), `${FULL}\n\nabout two`);
  assertEquals(await prompt("three"), "about three");
  // Without a daemon the note is enough.
  daemon.stop();
  await home.hook("pre-compaction", { stdin: base });
  assertEquals(await prompt("four"), FULL);
  // A session that ended in between starts with its text, so the prompt must not bring it too.
  await home.hook("pre-compaction", { stdin: base });
  await home.hook("session-end", { stdin: { ...base, transcript: "User: one" } });
  assertEquals(await prompt("five"), "");
});

Deno.test("startsWithPrompt: the hook of the first prompt leaves the claim to session-start", async () => {
  await using daemon = new FaultyDaemon();
  const b = likeB(daemon);
  await using home = await SampleHome.make(daemon.url, { startsWithPrompt: true, keepsContext: false });
  const base = { session_id: "c1", cwd: CWD };
  const prompt = async (text: string) =>
    (await home.hook("user-prompt-submit", { stdin: { ...base, prompt: text } })).stdout;
  // Both run at once, and the prompt is faster.
  assertEquals(await prompt("one"), "about one");
  assertEquals((await home.hook("session-start", { stdin: base })).stdout, FULL);
  assertEquals(paths(daemon), ["user-prompt-submit", "session-start"]);
  b.restart();
  assertEquals(await prompt("two"), "about two");
  assertEquals(paths(daemon).slice(2), ["user-prompt-submit", "session-start"], "it is claimed again");
});

const COPILOT_END = { type: "hook.start", data: { hookType: "sessionEnd" } };
const COPILOT_TALK = [
  { type: "user.message", data: { content: "what do I drink?" } },
  { type: "assistant.message", data: { content: "Tea." } },
];

function asLines(lines: readonly unknown[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

Deno.test("a session end waits for a conversation that Copilot CLI writes behind its hooks", async () => {
  await using daemon = new FaultyDaemon();
  likeB(daemon);
  await using home = await SampleHome.make(daemon.url, { transcript: "copilot" });
  const stdin = {
    sessionId: "c1",
    cwd: CWD,
    transcriptPath: `${home.path}/events.jsonl`,
    reason: "complete",
  };
  await home.hook("session-start", { stdin });
  // An earlier run of the same session ended in the same way.
  const earlier = [COPILOT_END, { type: "hook.end", data: {} }, { type: "session.shutdown", data: {} }];
  await Deno.writeTextFile(stdin.transcriptPath, asLines(earlier));
  const ending = home.hook("session-end", { stdin });
  await until("the event is on disk", () => home.spool.drafts().length > 0);
  await Deno.writeTextFile(stdin.transcriptPath, asLines(COPILOT_TALK), { append: true });
  await Deno.writeTextFile(stdin.transcriptPath, asLines([COPILOT_END]), { append: true });
  await ending;
  await home.delivered();
  const end = daemon.received.find(({ path }) => path.endsWith("session-end"));
  assertEquals(end?.body.transcript, "User: what do I drink?\n\nAssistant: Tea.");
});

Deno.test("a session end that waited in vain leaves the conversation to a drain", async () => {
  // A slow machine may use up the time before the hook has read its input.
  for (let timeoutMs = 2_000, outcome = "no input"; outcome === "no input"; timeoutMs *= 2) {
    assertLess(timeoutMs, HANG_MS, "it never read its input");
    await using daemon = new FaultyDaemon();
    likeB(daemon);
    await using home = await SampleHome.make(daemon.url, {
      transcript: "copilot",
      events: { "session-end": { native: "end", timeoutMs } },
    });
    const stdin = {
      sessionId: "c1",
      cwd: CWD,
      transcriptPath: `${home.path}/events.jsonl`,
      reason: "complete",
    };
    await home.hook("session-start", { stdin });
    await Deno.writeTextFile(stdin.transcriptPath, asLines(COPILOT_TALK));
    await home.hook("session-end", { stdin });
    outcome = home.outcomes("session-end")[0] ?? "";
    if (outcome === "no input") continue;
    await home.delivered();
    const end = daemon.received.find(({ path }) => path.endsWith("session-end"));
    assertEquals(end?.body.transcript, "User: what do I drink?\n\nAssistant: Tea.");
  }
});

Deno.test("a prompt hook that comes again after a tool result, without a prompt, prints and sends nothing", async () => {
  await using daemon = new FaultyDaemon();
  likeB(daemon);
  await using home = await SampleHome.make(daemon.url, { keepsContext: false });
  // As Qwen Code sent it.
  const base = { session_id: "q1", cwd: CWD, hook_event_name: "UserPromptSubmit" };
  await home.hook("session-start", { stdin: { ...base, source: "startup" } });
  const prompt = async (text: string) =>
    (await home.hook("user-prompt-submit", { stdin: { ...base, prompt: text, submitted_prompt: text } }))
      .stdout;
  assertEquals([await prompt("tea"), await prompt(""), await prompt(" \n")], ["about tea", "", ""]);
  assertEquals(paths(daemon), ["session-start", "user-prompt-submit"]);
  assertEquals(home.outcomes("user-prompt-submit"), ["ok", "no prompt", "no prompt"]);
});

Deno.test("a hook whose descriptor cannot be loaded exits 0, silently", async () => {
  const main = new URL("../hooks/main.ts", import.meta.url).href;
  for (const event of ["session-start", "pre-tool", "drain", "no such event"]) {
    const code = `import { hookMain } from "${main}";
      await hookMain(Promise.reject(new Error("broken")), ["${event}"]);`;
    const ended = await new Deno.Command(Deno.execPath(), { args: ["eval", code], stdin: "null" }).output();
    const printed = new TextDecoder().decode(ended.stdout) + new TextDecoder().decode(ended.stderr);
    assertEquals([ended.code, printed], [0, ""], event);
  }
});
