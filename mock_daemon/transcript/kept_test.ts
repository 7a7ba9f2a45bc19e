import { assertEquals } from "@std/assert";
import { isObject } from "../json.ts";
import { createMockDaemon, type ProfileName } from "../mod.ts";

const TURNS = Array.from({ length: 4 }, (_, turn) => [
  `Question ${turn}: how does part ${turn} of the Zephyr importer read its configuration file?`,
  `Answer ${turn}: it reads the file once at start, checks each field and keeps the parsed value.`,
]).flat();
const isUser = (index: number) => index % 2 === 0;
const label = (index: number) => isUser(index) ? "User" : "Assistant";
const role = (index: number) => isUser(index) ? "user" : "assistant";
const lines = (line: (turn: string, index: number) => unknown) =>
  TURNS.map((turn, index) => JSON.stringify(line(turn, index))).join("\n");

const ALL = TURNS.map((turn, index) => `${label(index)}: ${turn}`).join("\n");
const USER_ONLY = TURNS.filter((_, index) => isUser(index)).map((turn) => `User: ${turn}`).join("\n");
const userEvent = (message: string) => ({ type: "event_msg", payload: { type: "user_message", message } });

/** The forms in which a transcript can arrive. */
const FORMS = {
  text: ALL,
  codexlines: lines((text, index) =>
    isUser(index) ? userEvent(text) : { type: "item.completed", item: { type: "agent_message", text } }
  ),
  rollout: lines((message, index) =>
    isUser(index) ? userEvent(message) : { type: "event_msg", payload: { type: "agent_message", message } }
  ),
  roles: lines((content, index) => ({ role: role(index), content })),
  claudejsonl: lines((content, index) => ({ type: role(index), message: { role: role(index), content } })),
  short: "User: hi\nAssistant: hello",
};

/** What the real daemons kept, from tables of the same requests on 0.58.1 and 0.145.7. */
const CASES: readonly (readonly [string, keyof typeof FORMS, "inline" | "path", string, string])[] = [
  // harness, form, way, kept by 0.58, kept by 0.145 and design
  ["codex", "text", "inline", "", ""],
  ["codex", "text", "path", "", ""],
  ["codex", "codexlines", "inline", "", ALL],
  ["codex", "codexlines", "path", ALL, ALL],
  ["codex", "rollout", "inline", "", USER_ONLY],
  ["codex", "rollout", "path", USER_ONLY, USER_ONLY],
  ["codex", "roles", "path", "", ""],
  ["claude-code", "text", "inline", "", ALL],
  ["claude-code", "text", "path", ALL, ALL],
  ["claude-code", "roles", "path", ALL, ALL],
  ["claude-code", "claudejsonl", "inline", "", ALL],
  ["claude-code", "claudejsonl", "path", "", ALL],
  ["opencode", "codexlines", "inline", "", ALL],
  ["opencode", "codexlines", "path", ALL, ALL],
  ["claude-code", "short", "inline", "", FORMS.short],
];

async function kept(profile: ProfileName, harness: string, form: keyof typeof FORMS, way: "inline" | "path") {
  const daemon = createMockDaemon({ profile });
  const file = await Deno.makeTempFile();
  // Long enough that 0.58 would summarise even the user's turns alone.
  const transcript = form === "short" ? FORMS.short : `${FORMS[form]}\n${FORMS[form]}`;
  await Deno.writeTextFile(file, transcript);
  const body = JSON.stringify({
    harness,
    sessionKey: "s1",
    runtimePath: "plugin",
    cwd: "/home/u/proj",
    ...(way === "path" ? { transcriptPath: file } : { transcript, transcriptPath: "/not/on/this/machine" }),
  });
  const end = await daemon.app.request("/api/hooks/session-end", { method: "POST", body });
  assertEquals(end.status, 200);
  await end.body?.cancel();
  const answer: unknown = await (await daemon.app.request("/__mock/kept?session=s1")).json();
  daemon.close();
  await Deno.remove(file);
  return isObject(answer) ? answer.content : undefined;
}

for (const profile of ["design", "0.145", "0.58"] as const) {
  Deno.test(`${profile} keeps of a session end what the real daemon keeps`, async (t) => {
    for (const [harness, form, way, by058, by145] of CASES) {
      await t.step(`${harness}, ${form}, ${way}`, async () => {
        const once = profile === "0.58" ? by058 : by145;
        const wanted = once === "" || form === "short" ? once : `${once}\n${once}`;
        assertEquals(await kept(profile, harness, form, way), wanted);
      });
    }
  });
}

Deno.test("/__mock/kept shows what was sent and lost", async () => {
  const daemon = createMockDaemon({ profile: "0.145" });
  const body = JSON.stringify({ harness: "codex", sessionKey: "s1", transcript: FORMS.text });
  await (await daemon.app.request("/api/hooks/session-end", { method: "POST", body })).body?.cancel();
  assertEquals(await (await daemon.app.request("/__mock/kept?session=s1")).json(), {
    session: "s1",
    content: "",
    deliveries: [{
      agentId: "default",
      sessionKey: "s1",
      harness: "codex",
      route: "session-end",
      from: "inline",
      sent: FORMS.text.length,
      kept: "",
    }],
  });
  assertEquals((await daemon.app.request("/__mock/kept")).status, 400);
  daemon.close();
});

Deno.test("0.145 keeps prompts until the session ends with a longer transcript", async () => {
  const daemon = createMockDaemon({ profile: "0.145" });
  const hook = { harness: "codex", sessionKey: "s1", runtimePath: "plugin" };
  const post = async (name: string, more: Record<string, unknown>) => {
    const body = JSON.stringify({ ...hook, ...more });
    const response = await daemon.app.request(`/api/hooks/${name}`, { method: "POST", body });
    assertEquals(response.status, 200, await response.text());
  };
  const content = () => daemon.state.kept.session("s1").content;
  await post("user-prompt-submit", { userMessage: "first" });
  await post("user-prompt-submit", { userMessage: "second", lastAssistantMessage: "one" });
  assertEquals(content(), "User: first\nAssistant: one\nUser: second");
  await post("session-end", { transcript: FORMS.text });
  assertEquals(content(), "User: first\nAssistant: one\nUser: second");
  await post("compaction-complete", { summary: "short", project: "/home/u/proj" });
  assertEquals(content(), "");
  await post("session-end", { transcript: FORMS.codexlines });
  assertEquals(content(), ALL);
  daemon.close();
});
