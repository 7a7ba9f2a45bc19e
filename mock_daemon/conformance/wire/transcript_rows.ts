import { isObject } from "../../json.ts";
import { ABSENT } from "../holds.ts";
import type { Run } from "./run.ts";
import { type Answer, type Expected, NO_ROUTE, older, type WireRow } from "./wire_row.ts";

type Way = "inline" | "path";

/** Turns of a conversation that is long enough to be summarised. */
function turns(word: string): string[] {
  return Array.from(
    { length: 8 },
    (_, turn) =>
      `Turn ${turn} about ${word}: the importer reads its configuration once at start, and keeps the parsed value.`,
  );
}

const isUser = (index: number) => index % 2 === 0;
const text = (word: string) =>
  turns(word).map((turn, index) => `${isUser(index) ? "User" : "Assistant"}: ${turn}`).join("\n");
const lines = (word: string, line: (turn: string, index: number) => unknown) =>
  turns(word).map((turn, index) => JSON.stringify(line(turn, index))).join("\n");

const FORMS = {
  text,
  "Codex lines": (word: string) =>
    lines(
      word,
      (turn, index) =>
        isUser(index)
          ? { type: "event_msg", payload: { type: "user_message", message: turn } }
          : { type: "item.completed", item: { type: "agent_message", text: turn } },
    ),
  "a Claude Code file": (word: string) =>
    lines(word, (content, index) => {
      const role = isUser(index) ? "user" : "assistant";
      return { type: role, message: { role, content } };
    }),
  "role lines": (word: string) =>
    lines(word, (content, index) => ({ role: isUser(index) ? "user" : "assistant", content })),
};

/** Harness, form, and whether 0.58 and the others keep it, inline and by path. */
const CASES: readonly (readonly [string, keyof typeof FORMS, Way, boolean, boolean])[] = [
  ["codex", "text", "inline", false, false],
  ["codex", "text", "path", false, false],
  ["codex", "Codex lines", "inline", false, true],
  ["codex", "Codex lines", "path", true, true],
  ["codex", "role lines", "path", false, false],
  ["claude-code", "text", "inline", false, true],
  ["claude-code", "text", "path", true, true],
  ["claude-code", "a Claude Code file", "inline", false, true],
  ["claude-code", "a Claude Code file", "path", false, true],
  ["claude-code", "role lines", "path", true, true],
  ["opencode", "Codex lines", "path", true, true],
];

async function end(run: Run, session: string, harness: string, form: keyof typeof FORMS, way: Way) {
  const transcript = FORMS[form](run.word);
  const sent = way === "inline" ? { transcript } : { transcriptPath: await run.file(transcript) };
  return await run.hook("session-end", session, { harness, ...sent });
}

const QUEUED = { memoriesSaved: 0, queued: true, jobId: /./ };

function queued(kept: boolean, lost: unknown): Expected {
  return kept
    ? { status: 200, answer: QUEUED, seen: '200 {"memoriesSaved":0,"queued":true,"jobId":…}, kept whole' }
    : { status: 200, answer: lost, seen: `200 ${JSON.stringify(lost)}, nothing kept` };
}

const name = (...parts: string[]) => parts.join("-").replaceAll(" ", "-");
const WAIT_MS = 250;
const TRIES = 40;

/** 0.145 stores a transcript shortly after its answer. */
async function stored(run: Run, session: string): Promise<Answer> {
  const path = `/api/sessions/${run.session(session)}/transcript?agent_id=${run.agent}`;
  for (let attempt = 1;; attempt++) {
    const answer = await run.send({ path });
    if (answer.status !== 404 || attempt === TRIES || run.target.profile === "0.58") return answer;
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
}

/** What is kept of a transcript: "delivered" does not mean "kept". */
export const TRANSCRIPT_ROWS: readonly WireRow[] = [
  ...CASES.map(([harness, form, way, by058, byOthers]): WireRow => ({
    fact: `the end of a ${harness} session with ${form}, ${way}, is ${byOthers ? "kept" : "lost"}`,
    writes: true,
    needs: "pipeline",
    call: (run) => end(run, name("end", harness, form, way), harness, form, way),
    expect: older(queued(byOthers, { memoriesSaved: 0, queued: false }), queued(by058, { memoriesSaved: 0 })),
  })),
  {
    fact: "a stored transcript has both roles as plain text",
    writes: true,
    call: async (run) => {
      await end(run, "stored", "codex", "Codex lines", "inline");
      const answer = await stored(run, "stored");
      const content = isObject(answer.body) ? answer.body.content : undefined;
      return { ...answer, body: content === undefined ? answer.body : content === text(run.word) };
    },
    expect: older({ status: 200, answer: true, seen: "200, the 1567 characters of both roles" }, NO_ROUTE),
  },
  {
    fact: "prompts are kept before the session ends",
    writes: true,
    call: async (run) => {
      await run.hook("user-prompt-submit", "prompts", { userMessage: "first" });
      const more = { userMessage: "second", lastAssistantMessage: "one" };
      await run.hook("user-prompt-submit", "prompts", more);
      const path = `/api/sessions/${run.session("prompts")}/transcript?agent_id=${run.agent}`;
      return await run.send({ path });
    },
    expect: {
      design: { status: 404, answer: { error: "Transcript not found" } },
      "0.145": {
        status: 200,
        answer: { content: "User: first\nAssistant: one\nUser: second" },
        seen: '200 {"sessionKey":…,"agentId":…,"content":"User: …\\nAssistant: …\\nUser: …"}',
      },
      "0.58": NO_ROUTE,
    },
  },
  {
    fact: "a session-end with reason clear keeps nothing",
    writes: true,
    call: async (run) => {
      const transcript = text(run.word);
      return await run.hook("session-end", "end-clear", { transcript, reason: "clear" });
    },
    expect: older(
      { status: 200, answer: { memoriesSaved: 0, queued: ABSENT }, seen: '200 {"memoriesSaved":0}' },
      { status: 200, answer: { memoriesSaved: 0, queued: ABSENT }, seen: '200 {"memoriesSaved":0}' },
    ),
  },
  ...([
    ["codex", "text", { skipped: true }, '{"skipped":true}'],
    ["codex", "Codex lines", { queued: true, jobId: /./ }, '{"queued":true,"jobId":…}'],
    ["claude-code", "text", { queued: true, jobId: /./ }, '{"queued":true,"jobId":…}'],
  ] as const).map(([harness, form, answer, seen]): WireRow => ({
    fact: `a checkpoint of ${harness} with ${form}`,
    writes: true,
    needs: "pipeline",
    call: (run) =>
      run.hook("session-checkpoint-extract", name("checkpoint", harness, form), {
        harness,
        transcript: FORMS[form](run.word),
      }),
    expect: older({ status: 200, answer, seen: `200 ${seen}` }, NO_ROUTE),
  })),
];
