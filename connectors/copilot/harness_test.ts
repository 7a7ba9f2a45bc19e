import { assertEquals, assertMatch } from "@std/assert";
import { normalize } from "../../hooks/normalize.ts";
import { linkedSkills } from "../base/sync/linked_skills.ts";
import { placeholderSite } from "../base/site/placeholder_site.ts";
import { copilot } from "./harness.ts";

const CWD = "/home/u/proj";
const SESSION = "e6d5979b-fa05-4e70-a1fc-d423fbb6981d";

Deno.test("copilot.targets() writes a hooks file of its own, with timeouts in seconds", () => {
  const [hooks, servers] = copilot.targets(placeholderSite(copilot));
  const values = hooks?.kind === "edit" ? hooks.edits.map(({ path, value }) => [path.join("."), value]) : [];
  const hook = (event: string, timeout: number) => ({
    type: "command",
    command: `"/home/u/.local/bin/signet-test" hook ${event}`,
    timeout,
  });
  assertEquals([hooks?.path, values], ["/home/u/.copilot/hooks/signet.json", [
    ["version", 1],
    ["hooks.sessionStart", hook("session-start", 8)],
    ["hooks.userPromptSubmitted", hook("user-prompt-submit", 5)],
    ["hooks.preCompact", hook("pre-compaction", 5)],
    ["hooks.sessionEnd", hook("session-end", 5)],
  ]]);
  const server = { type: "local", command: "/home/u/.local/bin/signet-test", args: ["mcp"], tools: ["*"] };
  assertEquals(
    servers?.kind === "edit" && [servers.path, servers.edits.map(({ path, value }) => [path, value])],
    ["/home/u/.copilot/mcp-config.json", [[["mcpServers", "signet"], server]]],
  );
});

Deno.test("copilot.targets() does not touch mcp-config.json with --no-mcp", () => {
  const site = placeholderSite(copilot, { flags: { mcp: false } });
  assertEquals(copilot.targets(site).map(({ path }) => path), ["/home/u/.copilot/hooks/signet.json"]);
});

Deno.test("copilot.targets() calls the program from PowerShell on Windows", () => {
  const site = placeholderSite(copilot, { os: "windows", program: "C:\\a b\\signet-copilot.exe" });
  const [hooks] = copilot.targets(site);
  const start = hooks?.kind === "edit" ? hooks.edits[1] : undefined;
  assertEquals(start?.value, {
    type: "command",
    powershell: '& "C:\\a b\\signet-copilot.exe" hook session-start',
    timeout: 8,
  });
});

Deno.test("copilot.targets() keeps a missing program from refusing every tool call", () => {
  const hook = (os: "linux" | "windows") => {
    const program = os === "windows" ? "C:\\a b\\signet-copilot.exe" : "/opt/a b/signet-copilot";
    const site = placeholderSite(copilot, { os, program, flags: { agents: true } });
    const [hooks] = copilot.targets(site);
    const edits = hooks?.kind === "edit" ? hooks.edits : [];
    const edit = edits.find(({ path }) => path.join(".") === "hooks.preToolUse");
    const value = edit?.kind === "item" ? edit.value : undefined;
    return { value, owns: edit?.kind === "item" && value !== undefined && edit.owns(value) };
  };
  assertMatch(JSON.stringify(hook("linux").value), /signet-copilot\\" hook pre-tool <&3 .*\|\| exit 0"/);
  assertMatch(JSON.stringify(hook("windows").value), /"powershell":"& .* hook pre-tool; exit 0"/);
  assertEquals([hook("linux").owns, hook("windows").owns], [true, true]);
});

Deno.test("copilot.targets() recognises our server after `copilot mcp add` has rewritten it", () => {
  const [, servers] = copilot.targets(placeholderSite(copilot));
  const entry = servers?.kind === "edit" ? servers.edits[0] : undefined;
  const owns = (command: string) =>
    entry?.kind === "entry" && entry.owns({ tools: ["*"], type: "local", command, args: ["mcp"] });
  assertEquals([owns("/opt/signet-copilot"), owns("/opt/signet-gemini"), owns("notes")], [
    true,
    false,
    false,
  ]);
});

Deno.test("copilot.render() has the context at the top: inside hookSpecificOutput it is ignored", () => {
  const render = (event: "session-start" | "user-prompt-submit" | "pre-compaction" | "session-end") =>
    copilot.render({ event, cwd: CWD }, "text");
  assertEquals(render("session-start"), '{"additionalContext":"text"}');
  assertEquals(render("user-prompt-submit"), '{"additionalContext":"text"}');
  assertEquals(render("pre-compaction"), "");
  assertEquals(render("session-end"), "");
});

Deno.test("normalize() reads Copilot CLI's events as it sent them", () => {
  const base = { sessionId: SESSION, timestamp: 1794921930459, cwd: CWD };
  const read = (event: "session-start" | "user-prompt-submit" | "pre-compaction", more: object) =>
    normalize(copilot, event, { ...base, ...more }, CWD);
  const start = read("session-start", { source: "new", initialPrompt: "hello" });
  assertEquals([start.sessionKey, start.source, start.prompt], [SESSION, "new", undefined]);
  assertEquals(read("user-prompt-submit", { prompt: "hello" }).prompt, "hello");
  const transcriptPath = `/home/u/.copilot/session-state/${SESSION}/events.jsonl`;
  const compact = read("pre-compaction", { transcriptPath, trigger: "manual", customInstructions: "" });
  assertEquals([compact.transcriptPath, compact.trigger], [transcriptPath, "manual"]);
});

Deno.test("copilot.findTranscript() computes the path, which sessionEnd does not name", () => {
  const { host, home } = placeholderSite(copilot);
  const path = `/home/u/.copilot/session-state/${SESSION}/events.jsonl`;
  assertEquals(copilot.findTranscript?.(SESSION, { host, home }), path);
  for (const session of ["../../other", "..", ".", "", "a/b", "a\\b", "a\0b", "x".repeat(256)]) {
    assertEquals(copilot.findTranscript?.(session, { host, home }), undefined, session);
  }
});

Deno.test("copilot follows COPILOT_HOME, where it reads no skills of ~/.agents", () => {
  const workspace = "/home/u/.agents";
  assertEquals(linkedSkills(copilot, placeholderSite(copilot, { workspace })), undefined);
  const site = placeholderSite(copilot, { workspace, env: { COPILOT_HOME: "/srv/c" } });
  assertEquals(copilot.configPath(site), "/srv/c/hooks/signet.json");
  assertEquals(linkedSkills(copilot, site), "/srv/c/skills");
  assertEquals(copilot.findTranscript?.("a", site), "/srv/c/session-state/a/events.jsonl");
});

Deno.test("copilot.identity() is a block in copilot-instructions.md: it does not read AGENTS.md there", () => {
  assertEquals(copilot.identity(placeholderSite(copilot)), {
    path: "/home/u/.copilot/copilot-instructions.md",
    rule: "block",
  });
});
