import { parse } from "@std/yaml";
import { isObject, text } from "../json.ts";

/** The identity files in the order session-start uses, with heading and size limit in characters. */
export const IDENTITY_FILES = [
  { file: "AGENTS.md", heading: "Agent Instructions", budget: 12_000 },
  { file: "SOUL.md", heading: "Soul", budget: 4_000 },
  { file: "IDENTITY.md", heading: "Identity", budget: 2_000 },
  { file: "USER.md", heading: "About Your User", budget: 6_000 },
  { file: "MEMORY.md", heading: "Working Memory", budget: 10_000 },
] as const;

export type IdentityTexts = { [F in (typeof IDENTITY_FILES)[number]["file"]]: string };

const BUILT_IN: Partial<IdentityTexts> = {
  "AGENTS.md": "You have a persistent memory, kept by Signet.\n" +
    "Save what should outlive this session with /remember, and look things up with /recall.",
  "SOUL.md": "Be direct, be kind, and say when you are not sure.",
};

export interface Identity {
  readonly name: string;
  readonly description?: string;
  readonly texts: Partial<IdentityTexts>;
}

function read(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    // Most workspaces lack some of these files; an unreadable one is treated the same.
    return undefined;
  }
}

function agentYaml(workspace: string | undefined): { name?: string; description?: string } {
  const source = workspace === undefined ? undefined : read(`${workspace}/agent.yaml`);
  if (source === undefined) return {};
  try {
    const root = parse(source);
    const agent = isObject(root) && isObject(root.agent) ? root.agent : {};
    return { name: text(agent.name), description: text(agent.description) };
  } catch {
    return {};
  }
}

function nameIn(identity: string | undefined): string | undefined {
  return /^[-*\s]*\**name\**\s*:\**\s*(.+?)\s*$/im.exec(identity ?? "")?.[1];
}

/** Reads the identity files. Called at each session-start, so that edits apply immediately. */
export function loadIdentity(
  options: { readonly workspace?: string; readonly identity?: Partial<IdentityTexts> },
  agentId: string,
): Identity {
  const { workspace } = options;
  const texts: Partial<IdentityTexts> = {};
  // The agent id becomes part of a path, which must stay inside the workspace.
  const safe = !agentId.split("/").some((part) => part === "" || part === "." || part === "..");
  for (const { file } of IDENTITY_FILES) {
    const agentFile = safe && workspace !== undefined
      ? read(`${workspace}/agents/${agentId}/${file}`)
      : undefined;
    const content = agentFile ?? (workspace === undefined ? undefined : read(`${workspace}/${file}`)) ??
      options.identity?.[file] ?? (workspace === undefined ? BUILT_IN[file] : undefined);
    if (text(content) !== undefined) texts[file] = content;
  }
  const yaml = agentYaml(workspace);
  return {
    name: yaml.name ?? nameIn(texts["IDENTITY.md"]) ?? "Agent",
    description: yaml.description,
    texts,
  };
}
