import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { EXIT } from "../connectors/base/cli/command.ts";
import { appendLog } from "../hooks/log.ts";
import { noteLastInject } from "../hooks/state/last_inject.ts";
import { call } from "./worlds/cli_call.ts";
import { findConnector } from "./worlds/find_connector.ts";
import { World } from "./worlds/world.ts";

/** A home in which two harnesses ran hooks. */
async function machine() {
  const world = await World.create({ ".claude/keep": "", ".pi/agent/keep": "" });
  const env = { HOME: world.home };
  const dir = (harness: string) => `${world.home}/.local/state/signet/${harness}`;
  const line = { at: "2026-11-16T10:00:00.000Z", event: "session-start", outcome: "ok", ms: 31, chars: 457 };
  return {
    world,
    dir,
    line,
    signet: (name: string, ...args: string[]) => call(findConnector(name), args, { env }),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

Deno.test("log shows time, event, ms, outcome and characters of each hook, oldest first", async () => {
  await using place = await machine();
  const { dir, line, signet } = place;
  const none = await signet("signet-connect", "log");
  assertEquals([none.code, none.err], [EXIT.ok, ""]);
  assertStringIncludes(none.out, "No hook has run yet.");

  const detail = "The daemon is not reachable\x1b[2J";
  appendLog(dir("pi"), {
    ...line,
    at: "2026-11-16T10:00:05.000Z",
    outcome: "offline",
    chars: undefined,
    detail,
  });
  appendLog(dir("claude-code"), line);
  appendLog(dir("claude-code"), { ...line, at: "2026-11-16T10:00:07.000Z", session: "test-doctor-" });
  appendLog(dir("claude-code"), { ...line, event: "cli install" });
  const { out } = await signet("signet-connect", "log");
  const [first = "", second = "", third = "", ...more] = out.trimEnd().split("\n");
  assertMatch(first, /^2026-11-16 \S+ {2}claude-code {2}session-start +31 ms {2}ok +457 characters$/);
  assertMatch(
    second,
    /^2026-11-16 \S+ {2}pi +session-start +31 ms {2}offline +The daemon is not reachable\S*$/,
  );
  assertMatch(third, /457 characters, run by doctor$/);
  assertEquals([more, out.includes("\x1b")], [[], false]);

  const named = await signet("signet-connect", "log", "-H", "pi");
  assertEquals(named.out.trimEnd().split("\n"), [second]);
  assertEquals((await signet("signet-connect", "log", "--lines", "1")).out.trimEnd().split("\n"), [third]);
  assertEquals((await signet("signet-connect", "log", "--lines", "some")).code, EXIT.usage);
  const [call] = JSON.parse((await signet("signet-pi", "log", "--json")).out);
  assertEquals([call.harness, call.event, call.ms, call.doctor], ["pi", "session-start", 31, false]);
});

Deno.test("log --last shows the newest text that a model got", async () => {
  await using place = await machine();
  const { dir, signet } = place;
  const none = await signet("signet-connect", "log", "--last");
  assertEquals([none.code, none.out], [EXIT.ok, "No hook has given a model any text yet.\n"]);
  noteLastInject(dir("pi"), { at: "2026-11-16T10:00:05.000Z", event: "session-start", text: "You are Ada." });
  noteLastInject(dir("claude-code"), {
    at: "2026-11-16T10:00:09.000Z",
    event: "user-prompt-submit",
    text: "Heron is the\nstaging database.",
  });
  const { out } = await signet("signet-connect", "log", "--last");
  assertMatch(
    out,
    /^Claude Code, user-prompt-submit, 2026-11-16 \S+: 30 characters\n\nHeron is the\nstaging database\.\n$/,
  );
  assertStringIncludes(
    (await signet("signet-connect", "log", "--last", "-H", "pi")).out,
    "\n\nYou are Ada.\n",
  );
  assertEquals(JSON.parse((await signet("signet-pi", "log", "--last", "--json")).out).text, "You are Ada.");
});
