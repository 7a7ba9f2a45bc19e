import { assertEquals, assertStringIncludes } from "@std/assert";
import { call } from "../worlds/cli_call.ts";
import { FaultyDaemon } from "../worlds/daemon/faulty_daemon.ts";
import { CONNECT_COMMANDS } from "../../connectors/connect/commands.ts";
import { HARNESSES } from "../../connectors/registry.ts";
import { SampleHome } from "../worlds/hooks/sample_home.ts";

const KEY = "sig_sk_0123456789ab_ZxCvBnMqWeRtYuIoPaSdFgHjKlZxCvBn";
const COMMANDS = [
  ["recall", "tea"],
  ["remember", "tea"],
  ["status"],
  ["health"],
  ["doctor"],
  ["flush"],
  ["api-key", "list"],
];
/** Writes the clipboard, clears the screen, rings, reverses the text, ends a C string, and echoes the key. */
const HOSTILE = "good\u001b]52;c;ZXZpbA==\u0007\u001b[2J\u009b31m\u0000\u0007\u202eevil\u2066\u007f " +
  `${KEY} ${btoa(KEY)} ${[...KEY].join("-")} news`;
const CONTROLS =
  // deno-lint-ignore no-control-regex -- control characters are what it looks for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\\u00[01]|\\u009b|\\u202e/;

function assertClean(text: string, where: string): void {
  assertEquals(CONTROLS.exec(text), null, `${where}: ${JSON.stringify(text)}`);
  for (const secret of [KEY, KEY.slice(20), btoa(KEY).slice(8, 40), [...KEY].join("-")]) {
    assertEquals(text.includes(secret), false, `${where}: ${text}`);
  }
}

Deno.test("no control character and no key of a daemon's answer reaches a model or the log", async () => {
  await using daemon = new FaultyDaemon();
  await using home = await SampleHome.make(daemon.url, { injectAt: "session-start" });
  const stdin = { session_id: "s\u001b[2J\u202e", cwd: "/home/u/proj", prompt: "hi" };
  const env = { SIGNET_API_KEY: KEY };
  daemon.answer = () => ({ inject: HOSTILE, dynamicContext: HOSTILE, summaryPrompt: HOSTILE });
  for (const event of ["session-start", "user-prompt-submit", "pre-compaction"]) {
    const { stdout } = await home.hook(event, { stdin, env });
    assertStringIncludes(stdout, "good");
    assertStringIncludes(stdout, "news");
    assertClean(stdout, event);
  }
  daemon.respond = () => ({ status: 400, body: JSON.stringify({ error: HOSTILE, [HOSTILE]: HOSTILE }) });
  for (const event of ["session-start", "user-prompt-submit", "session-end"]) {
    const ended = await home.hook(event, { stdin, env });
    assertClean(ended.stdout + ended.stderr, event);
  }
  await home.delivered();
  await home.quiet();
  assertClean(await Deno.readTextFile(`${home.state}/hook.log`), "hook.log");
  const notes = [...Deno.readDirSync(`${home.state}/sessions`)].map(({ name }) =>
    Deno.readTextFileSync(`${home.state}/sessions/${name}`)
  );
  for (const note of notes) assertEquals(note.includes(KEY), false);
});

Deno.test("no control character and no key of a daemon's answer reaches a terminal or a JSON document", async () => {
  await using daemon = new FaultyDaemon();
  const home = await Deno.makeTempDir();
  const [harness] = HARNESSES;
  if (harness === undefined) throw new Error("The registry is empty.");
  const program = { binary: "signet-connect", harnesses: HARNESSES, commands: CONNECT_COMMANDS };
  const env = { HOME: home, SIGNET_DAEMON_URL: daemon.url, SIGNET_API_KEY: KEY };
  const memory = { id: HOSTILE, content: HOSTILE, type: HOSTILE, tags: [HOSTILE], created_at: HOSTILE };
  const answer = {
    results: [memory],
    apiKeys: [{ ...memory, name: HOSTILE }],
    memories: [memory],
    status: HOSTILE,
    version: HOSTILE,
    ...memory,
  };
  try {
    for (const status of [200, 400, 401, 500]) {
      const body = JSON.stringify(status === 200 ? answer : { error: HOSTILE });
      daemon.respond = () => ({ status, body });
      for (const args of COMMANDS) {
        for (const json of [[], ["--json"]]) {
          const { out, err } = await call(program, [...args, "-H", harness.id, ...json], { env });
          assertClean(out, `${args.join(" ")} ${json} ${status}: stdout`);
          assertClean(err, `${args.join(" ")} ${json} ${status}: stderr`);
        }
      }
    }
    daemon.respond = () => ({ status: 200, body: JSON.stringify(answer) });
    const { out } = await call(program, ["recall", "tea", "-H", harness.id], { env });
    assertStringIncludes(out, "good", "the rest of the text is shown");
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});
