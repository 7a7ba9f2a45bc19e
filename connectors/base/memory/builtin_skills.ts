import rememberSkill from "./skills/signet-remember/SKILL.md" with { type: "text" };
import recallSkill from "./skills/signet-recall/SKILL.md" with { type: "text" };

/** Skill name → the files of its folder, by relative path. */
export type SkillFolders = Readonly<Record<string, Readonly<Record<string, string>>>>;

const SKILLS = [
  { name: "signet-remember", also: "remember", text: rememberSkill },
  { name: "signet-recall", also: "recall", text: recallSkill },
] as const;

/**
 * The skills that ship in the binary, calling `command` (`signet-pyagent`, or a
 * quoted path). Where the workspace has its own, under our name or under the one
 * that Signet's own set-up gives it, that one is the user's choice and ours stays out.
 */
export function builtinSkills(command: string, workspaceHas: Iterable<string> = []): SkillFolders {
  const taken = new Set(workspaceHas);
  const wanted = SKILLS.filter(({ name, also }) => !taken.has(name) && !taken.has(also));
  return Object.fromEntries(
    wanted.map(({ name, text }) => [name, { "SKILL.md": text.replaceAll("{{command}}", () => command) }]),
  );
}
