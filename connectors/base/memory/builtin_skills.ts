import rememberSkill from "./skills/signet-remember/SKILL.md" with { type: "text" };
import recallSkill from "./skills/signet-recall/SKILL.md" with { type: "text" };

/** Skill name → the files of its folder, by relative path. */
export type SkillFolders = Readonly<Record<string, Readonly<Record<string, string>>>>;

const SKILLS = [
  { name: "signet-remember", alias: "remember", text: rememberSkill },
  { name: "signet-recall", alias: "recall", text: recallSkill },
] as const;

/**
 * The skills that ship in the binary and call `command` (`signet-pyagent`, or a
 * quoted path). A skill is left out if the workspace already has one under the
 * same name or under the name that Signet's own setup uses.
 */
export function builtinSkills(command: string, workspaceHas: Iterable<string> = []): SkillFolders {
  const taken = new Set(workspaceHas);
  const wanted = SKILLS.filter(({ name, alias }) => !taken.has(name) && !taken.has(alias));
  return Object.fromEntries(
    wanted.map(({ name, text }) => [name, { "SKILL.md": text.replaceAll("{{command}}", () => command) }]),
  );
}
