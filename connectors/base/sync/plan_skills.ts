import { HOST, join, type Surroundings } from "../../../hooks/state/paths.ts";

/** A link in the harness's skill directory, and the workspace folder that it points to. */
export interface SkillLink {
  readonly path: string;
  readonly to: string;
}

export interface SkillPlan {
  /** The wanted links: missing, outdated and correct ones. */
  readonly links: readonly SkillLink[];
  /** Our links to skills that no longer exist. */
  readonly remove: readonly SkillLink[];
  /** Paths that the user or another program uses; they are kept. */
  readonly left: readonly string[];
}

export interface SkillQuery {
  readonly workspace: string;
  /** The harness's skill directory. */
  readonly skillsDir: string;
  /** The links in the ledger: path to target. */
  readonly owned: ReadonlyMap<string, string>;
  readonly host?: Surroundings;
}

/** The links to create and to remove. Read-only; empty without a workspace. */
export function planSkills({ workspace, skillsDir, owned, host = HOST }: SkillQuery): SkillPlan {
  const source = join(host, workspace, "skills");
  const none: SkillPlan = { links: [], remove: [], left: [] };
  // Codex reads ~/.agents/skills itself, and people link one directory to the other.
  if (!exists(workspace) || sameDirectory(source, skillsDir)) return none;

  const links: SkillLink[] = [];
  const left: string[] = [];
  const wanted = workspaceSkills(workspace, host).map((name) => ({
    path: join(host, skillsDir, name),
    to: join(host, source, name),
  }));
  for (const link of wanted) {
    const entry = entryAt(link.path);
    const isOwned = entry.kind === "link" && owned.get(link.path) === entry.to;
    if (entry.kind === "nothing" || isOwned) links.push(link);
    else if (entry.kind !== "link" || entry.to !== link.to) left.push(link.path);
  }

  const kept = new Set(wanted.map((link) => link.path));
  const remove = [...owned].map(([path, to]) => ({ path, to })).filter(({ path, to }) => {
    if (kept.has(path) || !path.startsWith(join(host, skillsDir, ""))) return false;
    const entry = entryAt(path);
    return entry.kind === "link" && entry.to === to;
  });
  return { links, remove, left };
}

/**
 * The names of the workspace's skills. A folder without a SKILL.md is not a skill
 * to any harness (`.git`, `node_modules`, shared files), so it is not linked.
 */
export function workspaceSkills(workspace: string, host: Surroundings = HOST): string[] {
  const source = join(host, workspace, "skills");
  return directoryNames(source)
    .filter((name) => !name.startsWith(".") && isFile(join(host, source, name, "SKILL.md")))
    .sort();
}

/** The names in a directory; empty if it is missing or unreadable. */
export function directoryNames(path: string): string[] {
  try {
    return [...Deno.readDirSync(path)].map((entry) => entry.name);
  } catch {
    return [];
  }
}

type Entry = { readonly kind: "nothing" | "real" } | { readonly kind: "link"; readonly to: string };

function entryAt(path: string): Entry {
  try {
    if (!Deno.lstatSync(path).isSymlink) return { kind: "real" };
    // Windows returns the target of a junction in its long form.
    return { kind: "link", to: Deno.readLinkSync(path).replace(/^\\\\\?\\/, "") };
  } catch (error) {
    return { kind: error instanceof Deno.errors.NotFound ? "nothing" : "real" };
  }
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}

function sameDirectory(a: string, b: string): boolean {
  try {
    return Deno.realPathSync(a) === Deno.realPathSync(b);
  } catch {
    return false;
  }
}
