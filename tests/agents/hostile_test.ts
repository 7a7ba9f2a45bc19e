import { assert, assertEquals } from "@std/assert";
import { DEEP } from "../../connectors/base/testing/deep.ts";
import { HOSTILE_TEXTS } from "../../connectors/base/testing/hostile_texts.ts";
import { sampleMessage } from "../../connectors/base/testing/sample_message.ts";
import { HARNESSES } from "../../connectors/registry.ts";
import { renderAnswer } from "../../hooks/agents/answer.ts";
import type { AgentCall, AgentOutcome } from "../../hooks/agents/call.ts";
import { Inbox } from "../../hooks/agents/messages/inbox.ts";
import { AgentSessions } from "../../hooks/agents/sessions/session.ts";
import { onPostTool } from "../../hooks/on/post_tool.ts";
import { onPreTool } from "../../hooks/on/pre_tool.ts";
import { onTurnEnd } from "../../hooks/on/turn_end.ts";
import { isObject } from "../../hooks/json.ts";

const HANDLERS: Record<string, (call: AgentCall) => AgentOutcome | Promise<AgentOutcome>> = {
  "pre-tool": onPreTool,
  "post-tool": onPostTool,
  "turn-end": onTurnEnd,
};

/** Every key of a JSON value, with its value if that is not an object. */
function* members(value: unknown): Generator<[string, unknown]> {
  if (!isObject(value)) return;
  for (const [key, member] of Object.entries(value)) {
    if (isObject(member)) yield* members(member);
    else yield [key, member];
  }
}

assertEquals(HOSTILE_TEXTS.length, 60);

for (const [n, profile] of HARNESSES.filter(({ agents }) => agents !== undefined).entries()) {
  const { agents } = profile;
  if (agents === undefined) continue;

  Deno.test(`${profile.id}: no hostile message approves anything or leaves its wrapper`, async () => {
    const dir = await Deno.makeTempDir();
    const sessions = new AgentSessions(dir);
    for (const [i, text] of HOSTILE_TEXTS.entries()) {
      // Every text meets three harnesses, or all of them in a deep run.
      if (!DEEP && (i + n) % 3 !== 0) continue;
      for (const [event, handler] of Object.entries(HANDLERS)) {
        for (const priority of [2, 4, 5] as const) {
          const key = `${i}-${event}-${priority}`;
          const session = sessions.begin({
            key,
            harness: profile.id,
            agentId: "work",
            url: "",
            project: "/home/u/app",
            machine: "m1",
            wake: "none",
          });
          const from = { agentId: "work", harness: text, session: text, machine: text, cwd: "app" };
          new Inbox(dir).put(session, sampleMessage({ text, priority, from, thread: text }));
          const input = { tool_name: text, tool_input: { file_path: text } };
          const call = {
            profile,
            agents,
            dir,
            sessions,
            session,
            hasFile: true,
            input,
            tool: text,
            isSubagent: false,
          };
          const { answer } = await handler(call);
          const name = Object.keys(agents.events).find((each): each is keyof typeof agents.events =>
            each === event
          );
          assert(name !== undefined);
          const printed = renderAnswer(agents, name, answer);
          if (printed === "") continue;
          for (const [field, value] of members(JSON.parse(printed))) {
            if (/decision$/i.test(field)) assert(value === "deny" || value === "block", printed);
            else {assert(
                /^(hookEventName|additionalContext|reason|permissionDecisionReason)$/.test(field),
                field,
              );}
          }
          const shown = "text" in answer ? answer.text : "reason" in answer ? answer.reason : "";
          const [, nonce = ""] = /<agent-message-([0-9a-f]{16}) /.exec(shown) ?? [];
          assertEquals(shown.split(`<agent-message-${nonce} `).length, 2, text);
          assertEquals(shown.split(`</agent-message-${nonce}>`).length, 2, text);
          assert(!/^[[{]/.test(shown), text);
        }
      }
    }
    await Deno.remove(dir, { recursive: true });
  });
}
