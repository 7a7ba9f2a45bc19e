/** How a daemon checks credentials, and whose data they open. */
export interface AccessRules {
  /** False if there are only signed tokens. */
  readonly apiKeys: boolean;
  /** Whether a key sent in local mode is checked and limits the request. */
  readonly keysCountInLocalMode: boolean;
  /** Whether too many invalid credentials are answered with 429. */
  readonly limitsFailures: boolean;
  /** Paths that need no credential in team mode. */
  readonly open: RegExp;
  /** Whether a key's `agentId` binds it; `scope.agent` always does. */
  readonly agentIdBinds: boolean;
  /**
   * The routes that hold a key to its agent. On others any agent can be named, and
   * `default` is used if none is. `unnamed` is the agent used here if none is named.
   */
  readonly bound: readonly { readonly path: RegExp; readonly unnamed: "bound" | "default" }[];
  /** Whether memories and sessions belong to an agent; if not, everyone shares them. */
  readonly agents: boolean;
  /** Whether a key may change only memories of its agent. */
  readonly ownMemoriesOnly: boolean;
  /** Whether creating an agent that exists is 500; otherwise it sets the policy. */
  readonly failsOnKnownAgent: boolean;
  /** Routes that need no permission. */
  readonly unguarded: RegExp;
  /** The status for a caller who is not an admin; with 500, admins are limited to ten calls a minute. */
  readonly adminRefusal: 403 | 500;
  /** Whether `whoami` recognises an API key. */
  readonly whoamiKnowsKeys: boolean;
}

const PUBLIC = /^\/(health|api\/auth\/(login|methods|whoami|sso\/.*|saml\/.*))$/;
const NOTHING = /(?!)/;

/** What the contract asks for: each key is held to its agent on every route. */
export const STRICT_ACCESS: AccessRules = {
  apiKeys: true,
  keysCountInLocalMode: true,
  limitsFailures: true,
  open: PUBLIC,
  agentIdBinds: true,
  bound: [{ path: /^/, unnamed: "bound" }],
  agents: true,
  ownMemoriesOnly: true,
  failsOnKnownAgent: false,
  unguarded: NOTHING,
  adminRefusal: 403,
  whoamiKnowsKeys: true,
};

/** 0.145: bob's key reads and writes as alice on most routes. */
export const ACCESS_0_145: AccessRules = {
  apiKeys: true,
  keysCountInLocalMode: false,
  limitsFailures: false,
  open: PUBLIC,
  agentIdBinds: false,
  bound: [
    { path: /^\/api\/(memory|hooks)\/remember$/, unnamed: "default" },
    { path: /^\/api\/hooks\/compaction-complete$/, unnamed: "default" },
    { path: /^\/api\/(sessions|cross-agent)(\/|$)/, unnamed: "bound" },
    { path: /^\/api\/knowledge\/expand\/session$/, unnamed: "bound" },
  ],
  agents: true,
  ownMemoriesOnly: false,
  failsOnKnownAgent: true,
  unguarded: /^\/api\/(agents(\/|$)|hooks\/(?!remember$))/,
  adminRefusal: 500,
  whoamiKnowsKeys: false,
};

/** 0.58: tokens only, and one memory for all agents. Even /health needs a token in team mode. */
export const ACCESS_0_58: AccessRules = {
  apiKeys: false,
  keysCountInLocalMode: false,
  limitsFailures: false,
  open: NOTHING,
  agentIdBinds: false,
  bound: [{ path: /^\/api\/cross-agent\//, unnamed: "bound" }],
  agents: false,
  ownMemoriesOnly: false,
  failsOnKnownAgent: true,
  unguarded: /^\/api\/hooks\//,
  adminRefusal: 500,
  whoamiKnowsKeys: false,
};
