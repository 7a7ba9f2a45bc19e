import { assertEquals } from "@std/assert";
import { applyEdits } from "../base/edit/config.ts";
import type { Edit } from "../base/edit/edit.ts";
import type { Site } from "../base/harness.ts";
import { placeholderSite } from "../base/site/placeholder_site.ts";
import { kimi } from "./harness.ts";

const CWD = "/home/u/proj";

function edits(site: Site, at: number): readonly Edit[] {
  const target = kimi.targets(site)[at];
  return target?.kind === "edit" ? target.edits : [];
}

Deno.test("kimi.targets() writes no key that Kimi Code does not know: it would ignore every hook", () => {
  const hooks = edits(placeholderSite(kimi), 0).map(({ value }) => value);
  const hook = (native: string, event: string, timeout: number) => ({
    event: native,
    command:
      `exec 3<&0 2>/dev/null; export SIGNET_CALLER=$PPID; t=; trap 't=1; kill $p' TERM; "/home/u/.local/bin/signet-test" hook ${event} <&3 & p=$!; [ $t ] && kill $p; wait $p || exit 0`,
    timeout,
  });
  assertEquals(hooks, [
    hook("SessionStart", "session-start", 8),
    hook("UserPromptSubmit", "user-prompt-submit", 8),
    hook("PreCompact", "pre-compaction", 5),
    hook("SessionEnd", "session-end", 5),
    hook("Stop", "checkpoint", 5),
  ]);
});

Deno.test("kimi.targets() makes a list of tables in config.toml", () => {
  const [first] = edits(placeholderSite(kimi), 0);
  const { text } = applyEdits("toml", 'default_model = "k" # mine\n', first ? [first] : []);
  const command = JSON.stringify(Object(first?.value).command);
  assertEquals(
    text,
    `default_model = "k" # mine\n\n[[hooks]]\nevent = "SessionStart"\ncommand = ${command}\ntimeout = 8\n`,
  );
});

Deno.test("kimi.targets() puts the MCP server into mcp.json, and nothing with --no-mcp", () => {
  const [server] = edits(placeholderSite(kimi), 1);
  assertEquals([server?.path, server?.value], [["mcpServers", "signet"], {
    command: "/home/u/.local/bin/signet-test",
    args: ["mcp"],
  }]);
  const without = kimi.targets(placeholderSite(kimi, { flags: { mcp: false } }));
  assertEquals(without.map(({ path }) => path), ["/home/u/.kimi-code/config.toml"]);
});

Deno.test("kimi.render() prints plain text, before a turn only: that of SessionStart is dropped", () => {
  const render = (event: "session-start" | "user-prompt-submit" | "pre-compaction" | "checkpoint") =>
    kimi.render({ event, cwd: CWD }, "text");
  assertEquals(
    [render("session-start"), render("user-prompt-submit"), render("pre-compaction"), render("checkpoint")],
    ["", "text", "", ""],
  );
});

Deno.test("kimi.identity() leaves out ~/.agents/AGENTS.md, which Kimi Code reads itself", () => {
  assertEquals(kimi.identity(placeholderSite(kimi)), {
    path: "/home/u/.kimi-code/AGENTS.md",
    rule: "block",
    omit: "/home/u/.agents/AGENTS.md",
  });
});

Deno.test("kimi.findTranscript() follows the index of sessions in KIMI_CODE_HOME", async () => {
  const dir = await Deno.makeTempDir();
  const entry = { sessionId: "session_a", sessionDir: "/s/a", workDir: CWD };
  await Deno.writeTextFile(`${dir}/session_index.jsonl`, `${JSON.stringify(entry)}\n`);
  const site = placeholderSite(kimi, { env: { KIMI_CODE_HOME: dir } });
  assertEquals(kimi.configPath(site), `${dir}/config.toml`);
  assertEquals(kimi.findTranscript?.("session_a", site), "/s/a/agents/main/wire.jsonl");
  assertEquals(kimi.findTranscript?.("session_b", site), undefined);
  await Deno.remove(dir, { recursive: true });
});
