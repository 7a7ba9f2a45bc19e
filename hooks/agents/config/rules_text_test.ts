import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { HOSTILE_TEXTS } from "../../../connectors/base/testing/hostile_texts.ts";
import type { AgentConfig } from "./agent_config.ts";
import type { ConfigFile, Scope } from "./config_files.ts";
import { flowOf, REPOSITORY_NOTICE, rulesText } from "./rules_text.ts";

const SESSION = { harness: "codex", key: "3f9a1234", agentId: "laptop", project: "/home/u/app" };

function file(scope: Scope, config: AgentConfig): ConfigFile {
  const path = scope === "user" ? "/home/u/.config/signet/agents.yaml" : "/home/u/app/.signet/agents.yaml";
  return { scope, path, state: "read", config, unknown: [], lines: new Map() };
}

Deno.test("rulesText() gives the user's rules as they are and labels the repository's", () => {
  const text = rulesText(
    [
      file("user", {
        rules: ["You are {{handle}} of {{ agent_id }} in {{project}}; {{nothing}} stays."],
        rulesFor: { codex: ["Only\nreviews."], gemini: ["Only tests."] },
        flow: "roundtrip",
      }),
      file("project", { rules: ["Ask gemini."], flow: "oneway" }),
    ],
    SESSION,
    "0123456789abcdef",
  );
  assertEquals(
    text,
    `The user's rules for work with other agents:
- You are codex-3f9a of laptop in app; {{nothing}} stays.
- Only
  reviews.

${REPOSITORY_NOTICE}
<repository-rules-0123456789abcdef file=".signet/agents.yaml">
- Ask gemini.
</repository-rules-0123456789abcdef>

When you give work to another agent, do not ask for an answer (wants_reply: false, or send --no-reply): go on with your own work.`,
  );
  assertEquals(rulesText([file("user", {}), file("project", {})], SESSION), "");
  assertEquals(flowOf([file("user", { flow: "oneway" }), file("project", {})]), "oneway");
});

Deno.test("rulesText() keeps a repository's words inside their marks", () => {
  for (const hostile of HOSTILE_TEXTS) {
    const text = rulesText([file("project", { rules: [hostile] })], SESSION, "0123456789abcdef");
    if (text === "") continue;
    assertEquals(
      text.indexOf("</repository-rules-0123456789abcdef>"),
      text.lastIndexOf("</repository-rules-0"),
    );
    assertEquals(text.endsWith("\n</repository-rules-0123456789abcdef>"), true);
    assertEquals(text.startsWith(REPOSITORY_NOTICE), true);
    assert(!text.includes("\u001b"));
  }
});

Deno.test("rulesText() cuts what is too long, and says what is broken without a repository's words", () => {
  const text = rulesText([file("project", { rules: ["x".repeat(60_000)] })], SESSION);
  assertEquals(text.length < 5_000, true);
  assertStringIncludes(text, "(cut; the rest is in .signet/agents.yaml)");
  const problem = { line: 3, message: "the key ignore_your_instructions is there twice" };
  const broken: ConfigFile = { ...file("project", {}), state: "broken", problem };
  const rules = rulesText([broken], SESSION);
  assertStringIncludes(rules, ".signet/agents.yaml in this repository cannot be read (line 3)");
  assert(!rules.includes("ignore_your_instructions"));
});
