import { z } from "zod";

const required = z.string();
const optional = z.string().nullish();
const path = z.enum(["plugin", "legacy"]);
const tags = z.union([z.string(), z.array(z.string())]).nullish();

const session = {
  harness: required,
  sessionKey: optional,
  agentId: optional,
  runtimePath: path.optional(),
};

const remember = {
  content: required,
  who: optional,
  project: optional,
  importance: z.number().nullish(),
  tags,
  pinned: z.boolean().nullish(),
  sourceType: optional,
  sourceId: optional,
  agentId: optional,
  visibility: z.enum(["global", "private", "archived"]).nullish(),
  scope: optional,
  idempotencyKey: optional,
  createdAt: optional,
  hints: z.array(z.string()).nullish(),
  transcript: optional,
  structured: z.looseObject({}).nullish(),
  sessionKey: optional,
};

const recall = {
  query: required,
  keywordQuery: optional,
  limit: z.number().nullish(),
  agentId: optional,
  type: optional,
  tags,
  who: optional,
  pinned: z.boolean().nullish(),
  importance_min: z.number().nullish(),
  since: optional,
  until: optional,
  project: optional,
  scope: optional,
  expand: z.boolean().nullish(),
  time: z.unknown(),
  sessionKey: optional,
  includeRecalled: z.boolean().nullish(),
  aggregate: z.boolean().nullish(),
  aggregateBudget: z.unknown(),
  aggregate_budget: z.unknown(),
  saveAggregate: z.boolean().nullish(),
  save_aggregate: z.boolean().nullish(),
};

const patch = {
  content: optional,
  type: optional,
  tags,
  importance: z.number().nullish(),
  pinned: z.boolean().nullish(),
  reason: optional,
  changed_by: optional,
  if_version: z.number().nullish(),
};

export type Fields = { readonly [name: string]: z.ZodType };

/** The fields that the real daemon reads from each request body, by method and path. */
export const REQUEST_FIELDS: readonly (readonly [string, RegExp, Fields])[] = [
  ["POST", /^\/api\/hooks\/session-start$/, {
    ...session,
    project: optional,
    context: optional,
    source: optional,
    harnessAgentId: optional,
    parentSessionKey: optional,
    parentKey: optional,
    parentId: optional,
    parentID: optional,
    claimOnly: z.boolean().optional(),
  }],
  ["POST", /^\/api\/hooks\/user-prompt-submit$/, {
    ...session,
    userMessage: optional,
    userPrompt: optional,
    project: optional,
    lastAssistantMessage: optional,
    memory_feedback: z.unknown(),
    transcriptPath: optional,
    transcript: optional,
  }],
  ["POST", /^\/api\/hooks\/session-end$/, {
    ...session,
    sessionId: optional,
    transcriptPath: optional,
    transcript: optional,
    cwd: optional,
    reason: optional,
    capturedAt: optional,
  }],
  ["POST", /^\/api\/hooks\/pre-compaction$/, {
    ...session,
    // Signet's command line sends --project here.
    project: optional,
    sessionContext: optional,
    messageCount: z.number().nullish(),
    transcriptPath: optional,
    transcript_path: optional,
  }],
  ["POST", /^\/api\/hooks\/compaction-complete$/, { ...session, summary: required, project: optional }],
  ["POST", /^\/api\/hooks\/session-checkpoint-extract$/, {
    ...session,
    project: optional,
    transcript: optional,
    transcriptPath: optional,
  }],
  ["POST", /^\/api\/hooks\/remember$/, { ...remember, ...session }],
  ["POST", /^\/api\/hooks\/recall$/, { ...recall, ...session }],
  ["POST", /^\/api\/memory\/remember$/, remember],
  ["POST", /^\/api\/memory\/recall$/, recall],
  ["POST", /^\/api\/memory\/modify$/, {
    reason: optional,
    changed_by: optional,
    patches: z.array(z.unknown()),
  }],
  ["POST", /^\/api\/memory\/forget$/, {
    mode: optional,
    ids: z.array(z.string()).nullish(),
    query: optional,
    type: optional,
    tags,
    who: optional,
    source_type: optional,
    since: optional,
    until: optional,
    limit: z.number().nullish(),
    reason: optional,
    force: z.boolean().nullish(),
    confirm_token: optional,
    agentId: optional,
  }],
  ["POST", /^\/api\/memory\/feedback$/, {
    sessionKey: optional,
    feedback: z.unknown(),
    ratings: z.unknown(),
    agentId: optional,
  }],
  ["PATCH", /^\/api\/memory\/[^/]+$/, { ...patch, agentId: optional }],
  ["DELETE", /^\/api\/memory\/[^/]+$/, {
    reason: optional,
    force: z.boolean().nullish(),
    if_version: z.number().nullish(),
    agentId: optional,
  }],
  ["POST", /^\/api\/sessions\/[^/]+\/bypass$/, { enabled: z.boolean() }],
  ["POST", /^\/api\/agents$/, { name: required, read_policy: optional, policy_group: optional }],
  ["POST", /^\/api\/auth\/api-keys$/, {
    name: required,
    role: z.enum(["admin", "operator", "agent", "readonly"]).nullish(),
    scope: z.strictObject({ agent: optional, project: optional, user: optional }).nullish(),
    permissions: z.array(z.string()).nullish(),
    connector: optional,
    harness: optional,
    agentId: optional,
    allowedProjects: z.array(z.string()).nullish(),
    expiresAt: optional,
  }],
  ["POST", /^\/api\/knowledge\/expand$/, {
    entity: required,
    aspect: optional,
    question: optional,
    maxTokens: z.number().nullish(),
    agentId: optional,
    sessionKey: optional,
  }],
  ["POST", /^\/api\/cross-agent\/presence$/, { ...session, project: optional, provider: optional }],
  ["POST", /^\/api\/cross-agent\/messages$/, {
    content: required,
    type: z.enum(["assist_request", "decision_update", "info", "question"]).nullish(),
    fromAgentId: optional,
    fromSessionKey: optional,
    toAgentId: optional,
    toSessionKey: optional,
    broadcast: z.boolean().nullish(),
    via: optional,
    acp: z.looseObject({}).nullish(),
  }],
];

/** Fields that every connector adds and a daemon may ignore. */
export const ENVELOPE: ReadonlySet<string> = new Set(["agent_id", "requestContext"]);
