import { parse } from "@std/yaml";
import { isObject, text } from "../json.ts";

/** The identity files in the order of session-start, each with its heading and budget in characters. */
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
    // A workspace without this file is the usual case, and an unreadable one says no more.
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

/** Read at each session-start, so that an edited file counts at once. */
export function loadIdentity(
  options: { readonly workspace?: string; readonly identity?: Partial<IdentityTexts> },
  agentId: string,
): Identity {
  const { workspace } = options;
  const texts: Partial<IdentityTexts> = {};
  // An agent id becomes a path here, and must not climb out of the workspace.
  const safe = !agentId.split("/").some((part) => part === "" || part === "." || part === "..");
  for (const { file } of IDENTITY_FILES) {
    const own = safe && workspace !== undefined ? read(`${workspace}/agents/${agentId}/${file}`) : undefined;
    const found = own ?? (workspace === undefined ? undefined : read(`${workspace}/${file}`)) ??
      options.identity?.[file] ?? (workspace === undefined ? BUILT_IN[file] : undefined);
    if (text(found) !== undefined) texts[file] = found;
  }
  const yaml = agentYaml(workspace);
  return {
    name: yaml.name ?? nameIn(texts["IDENTITY.md"]) ?? "Agent",
    description: yaml.description,
    texts,
  };
}
