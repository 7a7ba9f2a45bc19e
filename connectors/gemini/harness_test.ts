import { assertEquals } from "@std/assert";
import type { Site } from "../base/harness.ts";
import { placeholderSite } from "../base/site/placeholder_site.ts";
import { gemini } from "./harness.ts";

function edits(site: Site) {
  const [target] = gemini.targets(site);
  return target?.kind === "edit" ? target.edits : [];
}

Deno.test("gemini.targets() writes timeouts in milliseconds, and no PreCompress", () => {
  const hooks = edits(placeholderSite(gemini, { flags: { mcp: false } })).map((
    edit,
  ) => [edit.path.join("."), edit.value]);
  const hook = (event: string, timeout: number) => ({
    hooks: [{
      type: "command",
      name: "signet",
      command:
        `exec 3<&0 2>/dev/null; export SIGNET_CALLER=$PPID; t=; trap 't=1; kill $p' TERM; "/home/u/.local/bin/signet-test" hook ${event} <&3 & p=$!; [ $t ] && kill $p; wait $p || exit 0`,
      timeout,
    }],
  });
  assertEquals(hooks, [
    ["hooks.SessionStart", hook("session-start", 8000)],
    ["hooks.BeforeAgent", hook("user-prompt-submit", 8000)],
    ["hooks.SessionEnd", hook("session-end", 5000)],
  ]);
});

for (const trustTools of [false, true]) {
  Deno.test(`gemini.targets() ${trustTools ? "trusts" : "does not trust"} our tools ${trustTools ? "with" : "without"} --trust-tools`, () => {
    const server = edits(placeholderSite(gemini, { flags: { trustTools } })).at(-1);
    const value = {
      command: "/home/u/.local/bin/signet-test",
      args: ["mcp"],
      ...(trustTools && { trust: true }),
    };
    assertEquals([server?.path.join("."), server?.value], ["mcpServers.signet", value]);
  });
}

Deno.test("gemini.render() prints only before a turn: elsewhere the text is lost or duplicated", () => {
  const at = { cwd: "/home/u/proj" };
  assertEquals(gemini.render({ ...at, event: "session-start" }, "text"), "");
  assertEquals(gemini.render({ ...at, event: "session-end" }, "text"), "");
  assertEquals(gemini.render({ ...at, event: "user-prompt-submit" }, ""), "");
  assertEquals(
    gemini.render({ ...at, event: "user-prompt-submit" }, "text"),
    '{"hookSpecificOutput":{"hookEventName":"BeforeAgent","additionalContext":"text"}}',
  );
});

Deno.test("gemini.identity() is a block in GEMINI.md, where the model keeps notes", () => {
  assertEquals(gemini.identity(placeholderSite(gemini)), {
    path: "/home/u/.gemini/GEMINI.md",
    rule: "block",
  });
});

Deno.test("gemini follows GEMINI_CLI_HOME", () => {
  const site = placeholderSite(gemini, { env: { GEMINI_CLI_HOME: "/srv/g" } });
  assertEquals(gemini.configPath(site), "/srv/g/.gemini/settings.json");
});
