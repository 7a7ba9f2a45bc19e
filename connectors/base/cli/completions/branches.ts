import type { Flag } from "../command.ts";
import { type CompletionWords, longestFirst } from "./words.ts";

const longNames = (flags: readonly Flag[]) => flags.map((flag) => `--${flag.name}`).join(" ");

/** The `case` branches that bash and zsh share; `list` formats a list for the shell. */
export function branches(words: CompletionWords, list: (items: string) => string) {
  const branch = (pattern: string, name: string, items: string) =>
    `    ${pattern}) ${name}=${list(items)} ;;\n`;
  return {
    valued: words.valued.join("|"),
    flags: longestFirst(words.flags)
      .map(([command, flags]) => branch(`"${command} "*`, "flags", longNames(flags))).join(""),
    next: longestFirst(words.after)
      .map(([group, next]) => branch(`"${group} "*`, "next", next.join(" "))).join(""),
    choices: [...words.choices].map(([flag, values]) => branch(flag, "values", values.join(" "))).join(""),
  };
}
