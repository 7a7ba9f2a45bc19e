import { assertEquals } from "@std/assert";
import type { Site } from "../base/harness.ts";
import { paperSite } from "../base/site/placeholder_site.ts";
import { gemini } from "./harness.ts";

function edits(site: Site) {
  const [target] = gemini.targets(site);
  return target?.kind === "edit" ? target.edits : [];
}

Deno.test("gemini.targets() writes timeouts in milliseconds, and no PreCompress", () => {
  const hooks = edits(paperSite({ flags: { mcp: false } })).map((
    edit,
  ) => [edit.path.join("."), edit.value]);
  const hook = (event: string, timeout: number) => ({
    hooks: [{
      type: "command",
      name: "signet",
      command: `"/home/u/.local/bin/signet-test" hook ${event}`,
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
  Deno.test(`gemini.targets() ${trustTools ? "trusts" : "does not trust"} our tools ${trustTools ? "if asked to" : "unasked"}`, () => {
    const server = edits(paperSite({ flags: { trustTools } })).at(-1);
    const value = {
      command: "/home/u/.local/bin/signet-test",
      args: ["mcp"],
      ...(trustTools && { trust: true }),
    };
    assertEquals([server?.path.join("."), server?.value], ["mcpServers.signet", value]);
  });
}

Deno.test("gemini.render() speaks before a turn only: elsewhere its text gets lost or doubled", () => {
  const at = { cwd: "/home/u/proj" };
  assertEquals(gemini.render({ ...at, event: "session-start" }, "text"), "");
  assertEquals(gemini.render({ ...at, event: "session-end" }, "text"), "");
  assertEquals(gemini.render({ ...at, event: "user-prompt-submit" }, ""), "");
  assertEquals(
    gemini.render({ ...at, event: "user-prompt-submit" }, "text"),
    '{"hookSpecificOutput":{"hookEventName":"BeforeAgent","additionalContext":"text"}}',
  );
});

Deno.test("gemini keeps to a block in GEMINI.md, where the model keeps notes as well", () => {
  assertEquals(gemini.identity(paperSite()), { path: "/home/u/.gemini/GEMINI.md", rule: "block" });
});

Deno.test("gemini follows GEMINI_CLI_HOME", () => {
  const site = paperSite({ env: { GEMINI_CLI_HOME: "/srv/g" } });
  assertEquals(gemini.configPath(site), "/srv/g/.gemini/settings.json");
});
