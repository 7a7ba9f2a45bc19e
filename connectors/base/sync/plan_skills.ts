import { HOST, join, type Surroundings } from "../../../hooks/state/paths.ts";

/** A link in the harness's skill directory, and the workspace's folder behind it. */
export interface SkillLink {
  readonly path: string;
  readonly to: string;
}

export interface SkillPlan {
  /** What should be there: missing ones, ours that point elsewhere, and ours that are right already. */
  readonly links: readonly SkillLink[];
  /** Links of ours whose skill is gone. */
  readonly remove: readonly SkillLink[];
  /** Names that the user, or another program, has taken; they stay as they are. */
  readonly left: readonly string[];
}

export interface SkillQuery {
  readonly workspace: string;
  /** The harness's skill directory. */
  readonly skillsDir: string;
  /** The links that the ledger says are ours: path to target. */
  readonly ours: ReadonlyMap<string, string>;
  readonly host?: Surroundings;
}

/** Which links to make and which to take away. Reads only; a missing workspace asks for nothing. */
export function planSkills({ workspace, skillsDir, ours, host = HOST }: SkillQuery): SkillPlan {
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
    const there = entryAt(link.path);
    const mine = there.kind === "link" && ours.get(link.path) === there.to;
    if (there.kind === "nothing" || mine) links.push(link);
    else if (there.kind !== "link" || there.to !== link.to) left.push(link.path);
  }

  const kept = new Set(wanted.map((link) => link.path));
  const remove = [...ours].map(([path, to]) => ({ path, to })).filter(({ path, to }) => {
    if (kept.has(path) || !path.startsWith(join(host, skillsDir, ""))) return false;
    const there = entryAt(path);
    return there.kind === "link" && there.to === to;
  });
  return { links, remove, left };
}

/**
 * The names of the workspace's skills. A folder without a SKILL.md is no skill
 * to any harness (`.git`, `node_modules`, a folder the skills share), and would
 * only clutter the user's directory.
 */
export function workspaceSkills(workspace: string, host: Surroundings = HOST): string[] {
  const source = join(host, workspace, "skills");
  return directoryNames(source)
    .filter((name) => !name.startsWith(".") && isFile(join(host, source, name, "SKILL.md")))
    .sort();
}

/** The names in a directory; none where it is missing or not to be read. */
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
    // Windows gives a junction's target in its long form.
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
