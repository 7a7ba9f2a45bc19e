import type { Command, Flag } from "../command.ts";
import { GLOBAL_FLAGS, HARNESS_FLAG } from "../flags.ts";
import { TOPICS } from "../topics.ts";

export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;

/** Which words can follow which: the data for all four shells. */
export interface CompletionWords {
  /** First words: commands, and groups such as `config`. */
  readonly first: readonly string[];
  /** Words after a group such as `agents config`, or after a command with a fixed set of arguments. */
  readonly after: ReadonlyMap<string, readonly string[]>;
  /** Groups such as `config`, whose next word is part of the command. */
  readonly groups: ReadonlySet<string>;
  /** Flags by command, as it is typed: `api-key create`. */
  readonly flags: ReadonlyMap<string, readonly Flag[]>;
  /** Every flag that takes a value, as it is typed: the next word is its value, not a command. */
  readonly valued: readonly string[];
  /** The values of each flag with a fixed set of them, by the flag as it is typed. */
  readonly choices: ReadonlyMap<string, readonly string[]>;
}

export const spellings = (flag: Flag): string[] =>
  flag.short ? [`--${flag.name}`, `-${flag.short}`] : [`--${flag.name}`];

export function completionWords(commands: readonly Command[], harnesses: readonly string[]): CompletionWords {
  const many = harnesses.length > 1;
  const globals = many ? [...GLOBAL_FLAGS, { ...HARNESS_FLAG, choices: harnesses }] : GLOBAL_FLAGS;
  const after = new Map<string, string[]>();
  const groups = new Set<string>();
  const flags = new Map<string, Flag[]>();
  const first = new Set<string>();
  for (const command of commands) {
    const parts = command.id.split(".");
    const [head = "", ...verbs] = parts;
    first.add(head);
    for (const [i, verb] of verbs.entries()) {
      const group = parts.slice(0, i + 1).join(" ");
      groups.add(group);
      const next = after.get(group) ?? [];
      after.set(group, next.includes(verb) ? next : [...next, verb]);
    }
    if (many && verbs.length === 0 && command.args === undefined && !command.machine) {
      after.set(head, [...after.get(head) ?? [], ...harnesses]);
    }
    flags.set(command.id.replaceAll(".", " "), [...command.flags, ...globals]);
  }
  after.set("completions", [...SHELLS]);
  after.set("help", [...first, ...TOPICS.map(({ name }) => name)]);
  const every = [...flags.values()].flat();
  const valued = new Set(every.filter((flag) => flag.value && !flag.alone).flatMap(spellings));
  const closed = every.flatMap((flag) =>
    flag.choices ? spellings(flag).map((name) => [name, flag.choices ?? []] as const) : []
  );
  return { first: [...first], after, groups, flags, valued: [...valued], choices: new Map(closed) };
}

/** Commands with more words first, so that `config show` does not match `config`. */
export function longestFirst<T>(flags: ReadonlyMap<string, T>): [string, T][] {
  return [...flags].sort(([a], [b]) => b.split(" ").length - a.split(" ").length);
}
