import { isObject } from "../../json.ts";
import { ABSENT } from "../holds.ts";
import type { Run } from "./run.ts";
import { type Answer, type Expected, NO_ROUTE, older, real, same, type WireRow } from "./wire_row.ts";

const STUB_TEXT = /^\[memory active \| \/remember \| \/recall\]\n# Current Date & Time\n[^\n]+\(UTC\)$/;
const STUB: Expected = {
  status: 200,
  answer: { identity: { name: "Agent" }, memories: [], inject: STUB_TEXT },
  seen:
    '200 {"identity":{"name":"Agent"},"memories":[],"inject":"[memory active | /remember | /recall]\\n# Current…"}',
};
/** Both versions put [memory active in a full text too, so only what follows tells it from the stub. */
const isFull = (inject: unknown) =>
  typeof inject === "string" && !STUB_TEXT.test(inject) && inject.includes("# Current Date & Time");
const FULL: Expected = {
  status: 200,
  answer: { memories: Array.isArray, inject: isFull },
  seen: '200, the full text again: {"identity":{"name":"Realtest",…},"memories":[…],"inject":"…"}',
};
const skipped = (answer: Record<string, unknown>): Expected => ({
  status: 200,
  answer: { ...answer, skipped: true, duplicateRuntimePath: true, claimedBy: "plugin" },
  seen: '200 {…,"skipped":true,"duplicateRuntimePath":true,"claimedBy":"plugin"}',
});
const CONFLICT: Expected = {
  status: 409,
  answer: { error: "session claimed by plugin path" },
  seen: '409 {"error":"session claimed by plugin path"}',
};

const start = (run: Run, session: string | undefined, more: Record<string, unknown> = {}) =>
  run.hook("session-start", session, more);

function afterStart(
  fact: string,
  session: string,
  then: (run: Run, session: string) => Promise<Answer>,
  expect: WireRow["expect"],
): WireRow {
  return {
    fact,
    writes: true,
    call: async (run) => {
      await start(run, session);
      return await then(run, session);
    },
    expect,
  };
}

function rowsOf(answer: Answer, key: string): unknown[] {
  const list = isObject(answer.body) && Array.isArray(answer.body.sessions) ? answer.body.sessions : [];
  return list.filter((session) => isObject(session) && session.key === key);
}

/** Session starts, stubs, claims and ends. */
export const SESSION_ROWS: readonly WireRow[] = [
  {
    fact: "the first session-start gets the full text",
    writes: true,
    call: (run) => start(run, "full"),
    expect: {
      design: {
        status: 200,
        answer: { identity: isObject, memories: Array.isArray, inject: /^\[signet active\]/ },
      },
      "0.145": {
        status: 200,
        answer: {
          identity: isObject,
          inject: /^\[signet active\]\nYou have persistent memory managed by Signet/,
        },
        seen: '200 {…,"inject":"[signet active]\\nYou have persistent memory managed by Signet.\\n…"}',
      },
      "0.58": {
        status: 200,
        answer: {
          identity: isObject,
          inject: /^\[memory active \| \/remember \| \/recall\]\n\n# Current Date & Time\n/,
        },
        seen: '200 {…,"inject":"[memory active | /remember | /recall]\\n\\n# Current Date & Time\\n…"}',
      },
    },
  },
  afterStart("a repeated session-start gets the stub", "stub", start, older(STUB, STUB)),
  afterStart(
    "source compact gets the stub",
    "compact",
    (run, session) => start(run, session, { source: "compact" }),
    older(STUB, STUB),
  ),
  afterStart(
    "source clear gets the full text again",
    "clear",
    (run, session) => start(run, session, { source: "clear" }),
    older(FULL, STUB),
  ),
  afterStart("a start after session-end", "ended", async (run, session) => {
    await run.hook("session-end", session);
    return await start(run, session);
  }, older(STUB, FULL)),
  afterStart("a start after session-end with reason clear", "cleared", async (run, session) => {
    await run.hook("session-end", session, { reason: "clear" });
    return await start(run, session);
  }, older(FULL, FULL)),
  afterStart("a start after compaction-complete", "compacted", async (run, session) => {
    await run.hook("compaction-complete", session, { summary: `Summary of ${run.word}.` });
    return await start(run, session);
  }, older(FULL, STUB)),
  afterStart(
    "a start of another harness with the same session key",
    "harness",
    (run, session) => start(run, session, { harness: "codex" }),
    older(FULL, STUB),
  ),
  {
    fact: "a start without a session key always gets the full text",
    writes: true,
    call: async (run) => {
      await start(run, undefined);
      return await start(run, undefined);
    },
    expect: older(FULL, FULL),
  },
  {
    fact: "compaction-complete stores the summary",
    writes: true,
    call: (run) => run.hook("compaction-complete", "summary", { summary: `Another summary of ${run.word}.` }),
    expect: older(
      {
        status: 200,
        answer: { success: true, memoryId: /^[0-9a-f-]{36}$/, contextEpoch: 1 },
        seen: '200 {"success":true,"memoryId":"<uuid>","contextEpoch":1}',
      },
      {
        status: 200,
        answer: { success: true, memoryId: /^[0-9a-f-]{36}$/, contextEpoch: ABSENT },
        seen: '200 {"success":true,"memoryId":"<uuid>"}',
      },
    ),
  },
  {
    fact: "compaction-complete of a project under /tmp",
    writes: true,
    call: (run) =>
      run.hook("compaction-complete", "noise", { summary: `Noise of ${run.word}.`, project: "/tmp/x" }),
    expect: older(
      {
        status: 200,
        answer: { success: true, memoryId: null },
        seen: '200 {"success":true,"memoryId":null,…}',
      },
      {
        status: 200,
        answer: { success: true, memoryId: /^[0-9a-f-]{36}$/ },
        seen: '200 {"success":true,"memoryId":"<uuid>"}',
      },
    ),
  },
  ...([
    ["session-start", {}, CONFLICT],
    ["user-prompt-submit", { userMessage: "hello there" }, skipped({ inject: "", memoryCount: 0 })],
    ["pre-compaction", {}, skipped({ guidelines: "", instructions: "", summaryPrompt: "" })],
    ["compaction-complete", { summary: "nothing" }, skipped({ success: true })],
  ] as const).map(([name, more, now]): WireRow =>
    afterStart(
      `${name} of a session that the other path claimed`,
      `path-${name}`,
      (run, session) => run.hook(name, session, { ...more, runtimePath: "legacy" }),
      older(now, CONFLICT),
    )
  ),
  afterStart(
    "session-end of a session that the other path claimed",
    "path-end",
    (run, session) => run.hook("session-end", session, { runtimePath: "legacy" }),
    older(skipped({ memoriesSaved: 0 }), {
      status: 200,
      answer: { memoriesSaved: 0, skipped: ABSENT },
      seen: '200 {"memoriesSaved":0}: the claim is released',
    }),
  ),
  afterStart(
    "a second session-end",
    "twice",
    async (run, session) => {
      await run.hook("session-end", session);
      return await run.hook("session-end", session);
    },
    older({
      status: 200,
      answer: { memoriesSaved: 0, skipped: true, duplicateSessionEnd: true, endedBy: "plugin" },
      seen: '200 {"memoriesSaved":0,"skipped":true,"duplicateSessionEnd":true,"endedBy":"plugin"}',
    }, { status: 200, answer: { memoriesSaved: 0, skipped: ABSENT }, seen: '200 {"memoriesSaved":0}' }),
  ),
  afterStart(
    "a session by its key",
    "by-key",
    (run, session) => run.send({ path: `/api/sessions/${run.session(session)}?agent_id=${run.agent}` }),
    older({
      status: 200,
      answer: { runtimePath: "plugin", agentId: /^conformance-/, expiresAt: /Z$/, bypassed: false },
      seen: '200 {"key":…,"agentId":…,"runtimePath":"plugin","claimedAt":…,"expiresAt":…,"bypassed":false}',
    }, {
      status: 200,
      answer: { runtimePath: "plugin", agentId: ABSENT, expiresAt: ABSENT, bypassed: false },
      seen: '200 {"key":…,"runtimePath":"plugin","claimedAt":…,"bypassed":false}',
    }),
  ),
  afterStart(
    "another agent's list of sessions",
    "whose",
    async (run, session) => {
      const answer = await run.send({ path: `/api/sessions?agent_id=${run.other}` });
      return { ...answer, body: rowsOf(answer, run.session(session)).length };
    },
    older({ status: 200, answer: 0, seen: "200, the session is not listed" }, {
      status: 200,
      answer: 1,
      seen: "200, all sessions are listed, whatever agent_id is",
    }),
  ),
  {
    fact: "a session that nobody claimed",
    writes: true,
    call: async (run) => {
      await start(run, "unclaimed", { runtimePath: undefined });
      const answer = await run.send({ path: `/api/sessions?agent_id=${run.agent}` });
      return { ...answer, body: rowsOf(answer, run.session("unclaimed")) };
    },
    expect: {
      design: { status: 200, answer: [] },
      "0.145": {
        status: 200,
        answer: [{ runtimePath: "unknown", expiresAt: null, agentId: ABSENT }],
        seen:
          '200, listed as {"key":…,"runtimePath":"unknown","claimedAt":…,"expiresAt":null,"bypassed":false}',
      },
      "0.58": { status: 200, answer: [], seen: "200, not listed" },
    },
  },
  {
    fact: "an unknown session is 404",
    call: (run) => run.send({ path: `/api/sessions/${run.target.name}-none?agent_id=${run.agent}` }),
    expect: same(404, { error: "Session not found" }, '404 {"error":"Session not found"}'),
  },
  afterStart(
    "a bypassed session gets nothing",
    "bypass",
    async (run, session) => {
      const path = `/api/sessions/${run.session(session)}/bypass?agent_id=${run.agent}`;
      await run.send({ path, body: { enabled: true } });
      return await start(run, session);
    },
    same(
      200,
      { inject: "", memories: [], bypassed: true },
      '200 {"inject":"","memories":[],"bypassed":true}',
    ),
  ),
  afterStart(
    "renewing a claim",
    "renew",
    (run, session) =>
      run.send({ path: `/api/sessions/${run.session(session)}/renew?agent_id=${run.agent}`, method: "POST" }),
    older(
      { status: 200, answer: { renewed: true }, seen: '200 {"key":…,"renewed":true,"expiresAt":…}' },
      NO_ROUTE,
    ),
  ),
  {
    fact: "GET /api/sessions/summaries",
    call: (run) => run.send({ path: `/api/sessions/summaries?agent_id=${run.agent}-none` }),
    expect: older({
      status: 200,
      answer: { summaries: [], total: 0 },
      seen: '200 {"summaries":[],"total":0}',
    }, {
      status: 404,
      answer: { error: "Session not found" },
      seen: '404 {"error":"Session not found"}',
    }),
  },
  afterStart(
    "a prompt with nothing to recall",
    "prompt",
    (run, session) =>
      run.hook("user-prompt-submit", session, { userMessage: "Xylophone marmalade gargoyle?" }),
    older({
      status: 200,
      answer: { inject: "", memoryCount: 0, engine: "no-entity", sessionKnown: true },
      seen: '200 {"inject":"","memoryCount":0,"queryTerms":"…","engine":"no-entity","sessionKnown":true}',
    }, {
      status: 200,
      answer: { inject: /^# Current Date & Time\n/, memoryCount: 0, sessionKnown: ABSENT },
      seen: '200 {"inject":"# Current Date & Time\\n…\\n","memoryCount":0}',
    }),
  ),
  {
    fact: "a prompt that names a stored word gets it only where entities are not scored",
    writes: true,
    call: async (run) => {
      await run.remember(`The server of X${run.word} restarts on Mondays.`);
      await start(run, "word");
      return await run.hook("user-prompt-submit", "word", { userMessage: `When does X${run.word} restart?` });
    },
    expect: {
      design: { status: 200, answer: { inject: /restarts on Mondays/, memoryCount: 1 } },
      "0.145": {
        status: 200,
        answer: { inject: "", memoryCount: 0, engine: "no-entity" },
        seen: '200 {"inject":"","memoryCount":0,"queryTerms":"zephyr server restart","engine":"no-entity",…}',
      },
      "0.58": {
        status: 200,
        answer: { inject: /\[signet:recall \| query="[^]*restarts on Mondays/, engine: "hybrid" },
        seen:
          '200 {"inject":"# Current Date & Time\\n…\\n\\n[signet:recall | query=\\"…\\" | results=1 | engine=hybrid]…"}',
      },
    },
  },
  {
    fact: "a prompt that names a person gets the attribute that it asks for",
    writes: true,
    call: async (run) => {
      const name = `Nils ${run.word}`;
      const content = `${name} leads the harbor crew`;
      const attributes = [{ groupKey: "work", claimKey: "team", content, confidence: 0.9, importance: 0.9 }];
      const aspects = [{ entityName: name, entityType: "person", aspect: "role", attributes }];
      await run.remember(`${content}.`, { structured: { aspects } });
      return await run.hook("user-prompt-submit", "person", {
        userMessage: `Which harbor crew does ${name} lead?`,
      });
    },
    expect: {
      design: { status: 200, answer: { inject: /leads the harbor crew/ } },
      "0.145": {
        status: 200,
        answer: {
          inject: /## Relevant Entity Context\n[^]*- \[attribute\] Nils [^]* \/ role \/ work \/ team: Nils /,
          memoryCount: 1,
          engine: "entity-context",
        },
        seen:
          '200 {"inject":"…## Relevant Entity Context\\n…- [attribute] Nils Berg / role / work / harbor_team: Nils…"}',
      },
      "0.58": {
        status: 200,
        answer: { inject: /leads the harbor crew/, engine: "hybrid" },
        seen: '200 {"inject":"…[signet:recall | …]\\n- Project Falconet ships in May. (…)…"}',
      },
    },
  },
  {
    fact: "a session in the same project sees another agent's prompts",
    writes: true,
    call: async (run) => {
      const project = `${run.project}-recovery`;
      await start(run, "left", { project });
      await run.hook("user-prompt-submit", "left", {
        project,
        userMessage: `The ${run.word} budget question`,
      });
      await run.hook("session-end", "left", { cwd: project });
      return await start(run, "recovered", { project, agentId: run.other });
    },
    expect: real(
      {
        status: 200,
        answer: { inject: (text: unknown) => !String(text).includes("budget question") },
      },
      {
        status: 200,
        answer: { inject: /## Session Recovery Context\n[^]*- The \w+ budget question/ },
        seen:
          '200 {…,"inject":"…## Session Recovery Context\\n## Session End Checkpoint\\n…### Recent Prompts\\n- …"}',
      },
    ),
  },
];
