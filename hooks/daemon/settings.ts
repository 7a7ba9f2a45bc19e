import { type AgentEntry, type AgentKeys, type KeyOrigin, parseAgents, projectAgent } from "./agent_keys.ts";
import { checkAgentId, checkUrl, DEFAULT_URL, isLoopback, keyAllowed } from "./origin.ts";
import { isObject, parseObject } from "../json.ts";
import { credentialsPath, HOST, type Surroundings } from "../state/paths.ts";
import { readPrivateFile } from "../state/private_file.ts";

export { checkAgentId, checkUrl, DEFAULT_URL, isLoopback, isPlainRemote, keyAllowed } from "./origin.ts";

/** What `install` writes to `~/.config/signet/connectors/<harness>.json`. */
export interface StoredSettings {
  url?: string;
  apiKey?: string;
  agentId?: string;
  connectorId?: string;
  machineId?: string;
  workspace?: string;
  insecureHttp?: boolean;
  /** The switches of the install, such as `mcp: false`, so that later commands expect the same. */
  options?: Record<string, boolean>;
  /** Agents besides `agentId`, with their keys and directories. */
  agents?: AgentEntry[];
}

/** Settings from the command line; they override all others. */
export interface SettingsFlags {
  /** The daemon's URL. */
  url?: string;
  /** The key. */
  apiKey?: string;
  /** The agent whose memory is used. */
  agentId?: string;
  /** The Signet workspace. */
  workspace?: string;
  /** Whether the key may be sent over plain HTTP to another machine. */
  insecureHttp?: boolean;
}

/** Where the settings are used. */
export interface SettingsPlace {
  /** The directory of the session: the table of agents may have an agent for it. */
  cwd?: string;
  /** Prefer the directory's agent to SIGNET_AGENT_ID, which may be the variable of another session. */
  projectFirst?: boolean;
}

/** The effective settings, and the source of each: a flag, a variable, a file's path, or `default`. */
export interface Settings {
  /** The harness that these are for. */
  harness: string;
  /** An origin, without a slash at the end. */
  url: string;
  /** The key, if it may be used with this URL. */
  apiKey?: string;
  /** The agent whose memory is used. */
  agentId: string;
  /** Whose key it is. */
  keyFrom?: KeyOrigin;
  /** The other agents of this machine. */
  keys?: AgentKeys;
  /** This installation. */
  connectorId?: string;
  /** The machine, by its name. */
  machineId?: string;
  /** The Signet workspace. */
  workspace?: string;
  /** Whether the key may be sent over plain HTTP to another machine. */
  insecureHttp: boolean;
  /** The switches of the install. */
  options?: Record<string, boolean>;
  /** Where each setting came from. */
  sources: { url: string; apiKey?: string; agentId: string; workspace?: string };
  /** Why the daemon must not be called with these settings, as a sentence for the user. */
  problem?: string;
}

/** Flags, then environment, then the file, then `http://127.0.0.1:3850` and agent `default`. */
export function loadSettings(
  harness: string,
  host: Surroundings = HOST,
  flags: SettingsFlags = {},
  place: SettingsPlace = {},
): Settings {
  const path = credentialsPath(harness, host);
  const problems: string[] = [];
  const stored = path === undefined ? {} : readStored(path, host, problems);
  const file = path ?? "file";

  const [urlText, urlSource] = first([
    [flags.url, "--url"],
    [host.env("SIGNET_DAEMON_URL"), "SIGNET_DAEMON_URL"],
    [hostAndPort(host), host.env("SIGNET_HOST") ? "SIGNET_HOST" : "SIGNET_PORT"],
    [stored.url, file],
    [DEFAULT_URL, "default"],
  ]);
  const checked = checkUrl(urlText);
  if ("problem" in checked) problems.push(checked.problem);
  const url = "url" in checked ? checked.url : DEFAULT_URL;

  // The stored key belongs to the stored origin and is sent to no other.
  const storedText = stored.url ?? DEFAULT_URL;
  const storedOrigin = storedText === urlText ? checked : checkUrl(storedText);
  const atStoredOrigin = "url" in checked && "url" in storedOrigin && storedOrigin.url === url;
  const insecureHttp = flags.insecureHttp ?? (atStoredOrigin && stored.insecureHttp === true);
  const table = stored.agents ?? [];
  const match = projectAgent(table, place.cwd);
  const byProject: [string | undefined, string] = [match?.agent.id, `${file}, project ${match?.project}`];
  const variable = host.env("SIGNET_AGENT_ID");
  const byVariable: [string | undefined, string] = [variable, "SIGNET_AGENT_ID"];
  const [agentText, agentSource] = first([
    [flags.agentId, "--agent-id"],
    ...(place.projectFirst ? [byProject, byVariable] : [byVariable, byProject]),
    [stored.agentId, file],
    ["default", "default"],
  ]);
  const agent = checkAgentId(agentText);
  if ("problem" in agent) problems.push(agent.problem);

  // The key in the environment belongs to the agent in the environment.
  const [variableKey, variableSource] = first([
    [host.env("SIGNET_API_KEY"), "SIGNET_API_KEY"],
    [host.env("SIGNET_TOKEN"), "SIGNET_TOKEN"],
  ]);
  const fromProject = agentSource === byProject[1];
  const ownKey = atStoredOrigin ? table.find(({ id }) => id === agentText)?.apiKey : undefined;
  const [apiKey, keySource, keyFrom = "none"] = first<KeyOrigin>([
    [flags.apiKey, "--api-key", "own"],
    [!fromProject || variable === agentText ? variableKey : undefined, variableSource, "own"],
    [ownKey, file, "own"],
    [variable?.trim() ? undefined : variableKey, variableSource, "own"],
    [atStoredOrigin ? stored.apiKey : undefined, file, "installed"],
  ]);
  const allowed = "url" in checked && keyAllowed(url, insecureHttp);
  const mayUseKey = apiKey !== "" && allowed;
  if (apiKey !== "" && "url" in checked && !mayUseKey) {
    problems.push(
      `The key is not sent to ${url}, because others can read plain http to another machine; ` +
        `use https, or install with --insecure-http.`,
    );
  }

  // A variable alone must not send prompts elsewhere: a project's .envrc may set it.
  const isElsewhere = urlSource.startsWith("SIGNET_") && !atStoredOrigin && "url" in checked &&
    !isLoopback(new URL(url).hostname);
  if (isElsewhere && apiKey === "") {
    problems.push(
      `${urlSource} names another machine, ${url}, and nothing is sent there without a key from the ` +
        `environment; set SIGNET_API_KEY too.`,
    );
  }

  const [workspace, workspaceSource] = first([
    [flags.workspace, "--workspace"],
    [host.env("SIGNET_PATH"), "SIGNET_PATH"],
    [host.env("SIGNET_WORKSPACE"), "SIGNET_WORKSPACE"],
    [stored.workspace, file],
    ["", ""],
  ]);

  return {
    harness,
    url,
    apiKey: mayUseKey ? apiKey : undefined,
    agentId: "agentId" in agent ? agent.agentId : "default",
    keyFrom: mayUseKey ? keyFrom : "none",
    keys: {
      installed: {
        agentId: stored.agentId ?? "default",
        apiKey: atStoredOrigin && allowed ? stored.apiKey : undefined,
      },
      agents: atStoredOrigin && allowed ? table : table.map(({ id, projects }) => ({ id, projects })),
    },
    connectorId: stored.connectorId,
    machineId: stored.machineId,
    workspace: workspace || undefined,
    insecureHttp,
    options: stored.options ?? {},
    sources: {
      url: urlSource,
      apiKey: mayUseKey ? keySource : undefined,
      agentId: agentSource,
      workspace: workspaceSource || undefined,
    },
    problem: problems[0],
  };
}

/** The first value that is set and not blank, with its source. */
function first<T = never>(choices: [string | undefined, string, T?][]): [string, string, T?] {
  for (const choice of choices) {
    const [value, source, more] = choice;
    if (value !== undefined && value.trim() !== "") return [value, source, more];
  }
  return ["", ""];
}

function hostAndPort(host: Surroundings): string | undefined {
  const name = host.env("SIGNET_HOST");
  const port = host.env("SIGNET_PORT");
  if (!name && !port) return undefined;
  const bracketed = name?.includes(":") && !name.startsWith("[") ? `[${name}]` : name;
  return `http://${bracketed || "127.0.0.1"}:${port || "3850"}`;
}

function readStored(path: string, host: Surroundings, problems: string[]): StoredSettings {
  const read = readPrivateFile(path, host);
  if (read.kind === "missing") return {};
  if (read.kind === "problem") {
    problems.push(read.problem);
    return {};
  }
  const stored = parseStored(read.text);
  if (stored === undefined) {
    problems.push(`${path} is not a JSON object; install again, or remove it.`);
    return {};
  }
  return stored;
}

/** The settings file's text as settings; undefined if it is not a JSON object. */
function parseStored(text: string): StoredSettings | undefined {
  const fields = parseObject(text);
  if (fields === undefined) return undefined;
  const string = (name: string) => typeof fields[name] === "string" ? fields[name] : undefined;
  return {
    url: string("url"),
    apiKey: string("apiKey"),
    agentId: string("agentId"),
    connectorId: string("connectorId"),
    machineId: string("machineId"),
    workspace: string("workspace"),
    insecureHttp: fields.insecureHttp === true,
    options: switches(fields.options),
    agents: parseAgents(fields.agents),
  };
}

function switches(value: unknown): Record<string, boolean> {
  const result: Record<string, boolean> = {};
  for (const [name, on] of Object.entries(isObject(value) ? value : {})) {
    if (typeof on === "boolean") result[name] = on;
  }
  return result;
}
