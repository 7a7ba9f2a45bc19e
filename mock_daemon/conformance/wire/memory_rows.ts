import { isObject } from "../../json.ts";
import { ABSENT } from "../holds.ts";
import type { Run } from "./run.ts";
import { type Answer, type Expected, older, real, same, type WireRow } from "./wire_row.ts";

const UUID = /^[0-9a-f-]{36}$/;
const idOf = ({ body }: Answer) => isObject(body) ? String(body.id) : "";
const byId = (run: Run, answer: Answer, query = "") =>
  `/api/memory/${idOf(answer)}?agent_id=${run.agent}${query}`;

function contents(answer: Answer, list: "results" | "memories"): string[] {
  const rows = isObject(answer.body) && Array.isArray(answer.body[list]) ? answer.body[list] : [];
  return rows.filter(isObject).map(({ content }) => String(content));
}

/** Asks twice for a memory, the second time with `more`. */
function twice(run: Run, content: string, first: Record<string, unknown>, more: Record<string, unknown>) {
  return run.remember(content, first).then(() => run.remember(content, more));
}

const STORED: Expected = { status: 200, answer: { id: UUID, deduped: ABSENT }, seen: "200, another memory" };
const DEDUPED: Expected = {
  status: 200,
  answer: { id: UUID, deduped: true, embedded: true, tags: "" },
  seen: '200 {…,"tags":"",…,"embedded":true,"deduped":true}',
};

async function pinned(run: Run, what: string): Promise<Answer> {
  return await run.remember(`critical: never push ${what} ${run.word}`);
}

/** Memories: what is stored, found, listed and forgotten. */
export const MEMORY_ROWS: readonly WireRow[] = [
  {
    fact: "GET /api/memory/search",
    call: (run) => run.send({ path: `/api/memory/search?q=${run.word}` }),
    expect: real({ status: 200, answer: { results: Array.isArray } }, {
      status: 404,
      answer: { error: "not found" },
      seen: '404 {"error":"not found"}: /api/memory/:id takes it',
    }),
  },
  {
    fact: "recall that finds nothing",
    call: (run) =>
      run.send({ path: "/api/memory/recall", body: { query: "xylophonemarmalade", agentId: run.agent } }),
    expect: older(
      {
        status: 200,
        answer: { results: [], method: "hybrid", meta: isObject },
        seen: '200 {"results":[],…,"meta":{…}}',
      },
      {
        status: 200,
        answer: { results: [], method: "hybrid", meta: ABSENT },
        seen: '200 {"results":[],"query":"xylophone","method":"hybrid"}',
      },
    ),
  },
  {
    fact: "remember answers the stored memory; a type in the request has no effect",
    writes: true,
    call: (run) => run.remember(`The ${run.word} importer reads a file.`, { type: "decision", tags: "a,b" }),
    expect: older({
      status: 200,
      answer: {
        id: UUID,
        type: "fact",
        tags: "a,b",
        pinned: false,
        embedded: false,
        hints_written: 0,
        structured: false,
      },
      seen:
        '200 {"id":…,"type":"fact","tags":…,"embedded":false,"entities_linked":0,"hints_written":0,"structured":false}',
    }, {
      status: 200,
      answer: { id: UUID, type: "fact", tags: "a,b", pinned: false, embedded: false, hints_written: ABSENT },
      seen:
        '200 {"id":…,"type":"fact","tags":…,"pinned":false,"importance":0.8,"content":…,"embedded":false}',
    }),
  },
  {
    fact: "the same memory again is recognised",
    writes: true,
    call: (run) => twice(run, `Flush the ${run.word} cache hourly.`, {}, {}),
    expect: older(DEDUPED, DEDUPED),
  },
  {
    fact: "the same memory of another agent",
    writes: true,
    call: (run) => twice(run, `Flush the ${run.word} queue hourly.`, {}, { agentId: run.other }),
    expect: older(STORED, DEDUPED),
  },
  {
    fact: "the same memory in another project",
    writes: true,
    call: (run) => twice(run, `Flush the ${run.word} disk hourly.`, { project: "/home/u/one" }, {}),
    expect: { design: DEDUPED, "0.145": STORED, "0.58": DEDUPED },
  },
  {
    fact: "an idempotency key that was used",
    writes: true,
    call: async (run) => {
      const idempotencyKey = `${run.word}-once`;
      await run.remember(`First note of ${run.word}`, { idempotencyKey });
      return await run.remember(`Second note of ${run.word}`, { idempotencyKey });
    },
    expect: older(
      {
        status: 200,
        answer: { content: /^First/, deduped: true },
        seen: '200 {…,"content":"… one",…,"deduped":true}',
      },
      { status: 200, answer: { content: /^Second/, deduped: ABSENT }, seen: '200 {…,"content":"… two",…}' },
    ),
  },
  {
    fact: "tags as a list",
    writes: true,
    call: (run) => run.remember(`List tags of ${run.word}`, { tags: ["a", "b"] }),
    expect: older({ status: 200, answer: { tags: "a,b" }, seen: '200 {…,"tags":"a,b",…}' }, {
      status: 500,
      answer: { error: "Failed to save memory" },
      seen: '500 {"error":"Failed to save memory"}',
    }),
  },
  {
    fact: "600 characters",
    writes: true,
    call: (run) => run.remember(`${run.word} ${"word ".repeat(118)}`.slice(0, 600).trim()),
    expect: older({ status: 200, answer: { id: UUID, chunked: ABSENT }, seen: "200, one memory" }, {
      status: 200,
      answer: { chunked: true, ids: Array.isArray, id: ABSENT },
      seen: '200 {"chunked":true,"chunk_count":…,"ids":[…],"group_id":…}',
    }),
  },
  {
    fact: "900 characters are stored in chunks",
    writes: true,
    call: (run) => run.remember(`${run.word} ${`${run.word} of note. `.repeat(60)}`.slice(0, 900).trim()),
    expect: same(
      200,
      { chunked: true, ids: Array.isArray, group_id: UUID, id: ABSENT },
      '200 {"chunked":true,"chunk_count":…,"ids":[…],"group_id":…}',
    ),
  },
  {
    fact: "critical: pins a memory, and DELETE of it needs force",
    writes: true,
    call: async (run) => {
      const made = await pinned(run, "first");
      return await run.send({ path: byId(run, made, "&reason=check"), method: "DELETE" });
    },
    expect: same(
      409,
      { status: "pinned_requires_force", error: "Pinned memories require force=true" },
      '409 {…,"status":"pinned_requires_force",…,"error":"Pinned memories require force=true"}',
    ),
  },
  {
    fact: "DELETE with force forgets a pinned memory",
    writes: true,
    call: async (run) => {
      const made = await pinned(run, "second");
      return await run.send({ path: byId(run, made, "&reason=check&force=true"), method: "DELETE" });
    },
    expect: same(
      200,
      { status: "deleted", currentVersion: 1, newVersion: 2 },
      '200 {…,"status":"deleted",…}',
    ),
  },
  {
    fact: "a second DELETE is 409",
    writes: true,
    call: async (run) => {
      const made = await run.remember(`Forget ${run.word} twice`);
      await run.send({ path: byId(run, made, "&reason=check"), method: "DELETE" });
      return await run.send({ path: byId(run, made, "&reason=check"), method: "DELETE" });
    },
    expect: same(409, { status: "already_deleted" }, '409 {…,"status":"already_deleted","currentVersion":…}'),
  },
  {
    fact: "PATCH changes a memory, and the same again changes nothing",
    writes: true,
    call: async (run) => {
      const made = await run.remember(`Change ${run.word} once`);
      const body = { content: `Changed ${run.word}`, reason: "check" };
      await run.send({ path: byId(run, made), method: "PATCH", body });
      return await run.send({ path: byId(run, made), method: "PATCH", body });
    },
    expect: same(
      200,
      { status: "no_changes", currentVersion: 2 },
      '200 {…,"status":"no_changes","currentVersion":2}',
    ),
  },
  {
    fact: "PATCH of another version is 409",
    writes: true,
    call: async (run) => {
      const made = await run.remember(`Version of ${run.word}`);
      const body = { content: `New version of ${run.word}`, reason: "check", if_version: 9 };
      return await run.send({ path: byId(run, made), method: "PATCH", body });
    },
    expect: same(
      409,
      { status: "version_conflict", currentVersion: 1 },
      '409 {…,"status":"version_conflict",…}',
    ),
  },
  {
    fact: "a private memory of another agent is found where there are no agents",
    writes: true,
    call: async (run) => {
      await run.remember(`Private${run.word} token`, { visibility: "private" });
      const body = { query: `Private${run.word}`, agentId: run.other };
      const answer = await run.send({ path: "/api/memory/recall", body });
      return { ...answer, body: contents(answer, "results").length };
    },
    expect: older({ status: 200, answer: 0, seen: "200, not found" }, {
      status: 200,
      answer: 1,
      seen: "200, found",
    }),
  },
  {
    fact: "rows of recall",
    writes: true,
    call: async (run) => {
      await run.remember(`Recall${run.word} row`);
      const body = { query: `Recall${run.word}`, agentId: run.agent };
      const answer = await run.send({ path: "/api/memory/recall", body });
      return { ...answer, body: isObject(answer.body) ? answer.body.results : answer.body };
    },
    expect: {
      design: { status: 200, answer: [{ agent_id: /^conformance-/, source: "keyword", truncated: false }] },
      "0.145": {
        status: 200,
        answer: [{ agent_id: ABSENT, visibility: "global", scope: null, source: "keyword", pinned: false }],
        seen: '200 {"results":[{…,"visibility":"global","scope":null}],…}: no agent',
      },
      "0.58": {
        status: 200,
        answer: [{ agent_id: ABSENT, visibility: ABSENT, source: "keyword", pinned: false }],
        seen: '200 {"results":[{…,"who":…,"project":…,"created_at":…}],…}: no agent',
      },
    },
  },
  {
    fact: "GET /api/memories of another agent",
    writes: true,
    call: async (run) => {
      await run.remember(`Listed${run.word} row`, { visibility: "private" });
      const answer = await run.send({ path: `/api/memories?limit=500&agent_id=${run.other}` });
      const rows = isObject(answer.body) && Array.isArray(answer.body.memories) ? answer.body.memories : [];
      return {
        ...answer,
        body: rows.filter((row) => isObject(row) && row.content === `Listed${run.word} row`),
      };
    },
    expect: real({ status: 200, answer: [] }, {
      status: 200,
      answer: [{ agent_id: ABSENT, visibility: ABSENT, pinned: 0, source_type: "manual" }],
      seen:
        '200 {"memories":[{"id",…,"source_type":"manual","pinned":0,"type":"fact"}],…}: all agents, none named',
    }),
  },
  {
    fact: "GET /api/memory/:id",
    writes: true,
    call: async (run) => run.send({ path: byId(run, await run.remember(`Row of ${run.word}`)) }),
    expect: real({ status: 200, answer: { pinned: false, version: 1 } }, {
      status: 200,
      answer: { pinned: 0, version: 1, is_deleted: 0, agent_id: ABSENT },
      seen: '200 {…,"pinned":0,…,"is_deleted":0,…,"version":1,…}',
    }),
  },
  {
    fact: "x-signet-no-hooks does not stop /api/memory/remember",
    writes: true,
    call: (run) =>
      run.send({
        path: "/api/memory/remember",
        body: { content: `No hooks for ${run.word}`, agentId: run.agent },
        headers: { "x-signet-no-hooks": "1" },
      }),
    expect: same(200, { id: UUID }, "200, the memory is stored"),
  },
  {
    fact: "the remember hook",
    writes: true,
    call: (run) => run.hook("remember", "remember", { content: `The ${run.word} report is due.` }),
    expect: older({ status: 200, answer: { id: UUID, type: "fact" }, seen: '200 {"id":…,"type":"fact",…}' }, {
      status: 200,
      answer: { saved: true, id: UUID, type: ABSENT },
      seen: '200 {"saved":true,"id":…}',
    }),
  },
  {
    fact: "the recall hook finds memories without a project",
    writes: true,
    call: async (run) => {
      await run.remember(`Homeless${run.word} row`);
      const answer = await run.hook("recall", "recall", { query: `Homeless${run.word}` });
      return { ...answer, body: isObject(answer.body) ? answer.body.count : answer.body };
    },
    expect: real({ status: 200, answer: 1 }, {
      status: 200,
      answer: 0,
      seen: "200, only those of its project",
    }),
  },
  {
    fact: "GET /api/memories after a memory was forgotten",
    writes: true,
    call: async (run) => {
      const content = `Forgotten ${run.word} row`;
      const made = await run.remember(content);
      await run.send({ path: byId(run, made, "&reason=check"), method: "DELETE" });
      const answer = await run.send({ path: `/api/memories?limit=500&agent_id=${run.agent}` });
      return { ...answer, body: contents(answer, "memories").includes(content) };
    },
    expect: older({ status: 200, answer: false, seen: "200, without it" }, {
      status: 200,
      answer: true,
      seen: "200, the forgotten memory is still listed; GET /api/memory/:id is 404",
    }),
  },
  {
    fact: "the recall hook",
    writes: true,
    call: async (run) => {
      await run.remember(`Hook${run.word} row`, { project: run.project });
      return await run.hook("recall", "recall", { query: `Hook${run.word}` });
    },
    expect: older(
      {
        status: 200,
        answer: {
          results: Array.isArray,
          memories: Array.isArray,
          count: 1,
          method: "keyword",
          message: /./,
        },
        seen:
          '200 {"results":[…],"query":…,"method":"keyword","meta":{…},"memories":[…],"count":1,"message":…}',
      },
      {
        status: 200,
        answer: { results: Array.isArray, count: 1, memories: ABSENT },
        seen: '200 {"results":[…],"count":1}',
      },
    ),
  },
];
