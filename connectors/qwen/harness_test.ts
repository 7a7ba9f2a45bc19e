import { assertEquals } from "@std/assert";
import type { Site } from "../base/harness.ts";
import { ownsHandler } from "../base/hooks_config/hook_groups.ts";
import { placeholderSite } from "../base/site/placeholder_site.ts";
import { qwen } from "./harness.ts";

const CWD = "/home/u/proj";

function edits(site: Site) {
  const [target] = qwen.targets(site);
  return target?.kind === "edit" ? target.edits : [];
}

Deno.test("qwen.targets() writes timeouts in seconds: from 1000 on it reads milliseconds", () => {
  const hooks = edits(placeholderSite(qwen, { flags: { mcp: false } })).map(({ path, value }) => [
    path.join("."),
    value,
  ]);
  const hook = (event: string, timeout: number) => ({
    hooks: [{
      type: "command",
      name: `signet-${event}`,
      command: `"/home/u/.local/bin/signet-test" hook ${event}`,
      timeout,
    }],
  });
  assertEquals(hooks, [
    ["hooks.SessionStart", hook("session-start", 8)],
    ["hooks.UserPromptSubmit", hook("user-prompt-submit", 5)],
    ["hooks.PreCompact", hook("pre-compaction", 5)],
    ["hooks.PostCompact", hook("compaction-complete", 5)],
    ["hooks.SessionEnd", hook("session-end", 5)],
    ["hooks.Stop", hook("checkpoint", 5)],
  ]);
});

Deno.test("qwen.targets() names the shell on Windows, and recognises its command", () => {
  const program = "C:\\a b\\signet-qwen.exe";
  const [start] = edits(placeholderSite(qwen, { os: "windows", program }));
  const handler = {
    type: "command",
    name: "signet-session-start",
    command: `& "${program}" hook session-start`,
    shell: "powershell",
    timeout: 8,
  };
  assertEquals(start?.value, { hooks: [handler] });
  assertEquals(ownsHandler(qwen, handler), true);
});

for (const trustTools of [false, true]) {
  Deno.test(`qwen.targets() ${trustTools ? "trusts" : "does not trust"} our tools ${trustTools ? "with" : "without"} --trust-tools`, () => {
    const server = edits(placeholderSite(qwen, { flags: { trustTools } })).at(-1);
    const value = {
      command: "/home/u/.local/bin/signet-test",
      args: ["mcp"],
      ...(trustTools && { trust: true }),
    };
    assertEquals([server?.path.join("."), server?.value], ["mcpServers.signet", value]);
  });
}

Deno.test("qwen.render() prints for the events whose text reaches the model", () => {
  const answer = (hookEventName: string) =>
    JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: "text" } });
  const render = (event: "session-start" | "user-prompt-submit" | "pre-compaction" | "checkpoint") =>
    qwen.render({ event, cwd: CWD }, "text");
  assertEquals(render("session-start"), answer("SessionStart"));
  assertEquals(render("user-prompt-submit"), answer("UserPromptSubmit"));
  assertEquals(render("pre-compaction"), answer("PreCompact"));
  // A Stop hook with an answer could keep the agent going.
  assertEquals(render("checkpoint"), "");
});

Deno.test("qwen.identity() is a block in QWEN.md, where /memory writes too", () => {
  assertEquals(qwen.identity(placeholderSite(qwen)), { path: "/home/u/.qwen/QWEN.md", rule: "block" });
});

Deno.test("qwen follows QWEN_HOME, with a ~ in it", () => {
  const at = (QWEN_HOME: string) => qwen.configPath(placeholderSite(qwen, { env: { QWEN_HOME } }));
  assertEquals([at("/srv/q"), at("~/q")], ["/srv/q/settings.json", "/home/u/q/settings.json"]);
});
