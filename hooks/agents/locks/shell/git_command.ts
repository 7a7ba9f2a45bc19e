import { literalWord, type Word } from "./word.ts";
import { each, type Effect, NOTHING, unknown } from "./writes.ts";

/** Subcommands that leave the working tree alone. */
const READS = new Set(
  ("add blame branch cat-file check-ignore count-objects describe diff-tree fetch for-each-ref log ls-files " +
    "ls-remote ls-tree merge-base name-rev notes reflog remote rev-list rev-parse shortlog show show-ref status tag " +
    "symbolic-ref version whatchanged diff").split(" "),
);
/** Subcommands that may rewrite any file of the working tree. */
const REWRITES = new Set(
  "merge rebase pull cherry-pick revert am apply clean switch checkout restore".split(" "),
);

/**
 * What a git command does to the working tree. Files below `.git` are not looked
 * at; `REPOSITORY` is the whole working tree.
 */
export function gitCommand(args: readonly Word[]): Effect & { readonly dir?: Word } {
  let dir: Word | undefined;
  let rest = [...args];
  while (rest[0]?.text.startsWith("-") && !rest[0].dynamic) {
    const [option, value] = rest;
    if (option?.text === "-C" && dir === undefined && value !== undefined) {
      dir = value;
      rest = rest.slice(2);
    } else if (option?.text === "--no-pager" || option?.text === "-P") rest = rest.slice(1);
    else if (option?.text === "--version") return NOTHING;
    // `-c alias.x=!command`, `--exec-path`, `--work-tree`.
    else return unknown("git");
  }
  const [verb, ...words] = rest;
  if (verb === undefined) return NOTHING;
  if (verb.dynamic) return unknown("git");
  return { ...subcommand(verb.text, words), dir };
}

function subcommand(verb: string, words: readonly Word[]): Effect {
  const has = (...options: string[]) => words.some(({ text }) => options.includes(text));
  if (READS.has(verb)) {
    const escapes = words.some(({ text, dynamic }) =>
      dynamic || /^--(?:output|ext-diff|open-files)|^-O/.test(text)
    );
    return escapes ? unknown("git") : NOTHING;
  }
  if (verb === "reset") {
    return has("--hard", "--merge", "--keep")
      ? rewritesAll(words)
      : words.some(dynamic)
      ? unknown("git")
      : NOTHING;
  }
  if (verb === "stash") {
    const [action] = words;
    return action !== undefined && ["list", "show", "drop"].includes(action.text)
      ? NOTHING
      : rewritesAll(words);
  }
  if (verb === "worktree" && has("list")) return NOTHING;
  if (verb === "rm" || verb === "mv") return named(words.filter(({ text }) => !text.startsWith("-")));
  if (!REWRITES.has(verb)) return unknown("git");
  // A new branch at the same commit.
  const creates = has("-b", "-B", "-c", "-C");
  const operands = words.filter(({ text }) => !text.startsWith("-"));
  if ((verb === "checkout" || verb === "switch") && creates && operands.length === 1) return NOTHING;
  if (verb === "clean" && !words.some(({ text }) => /^-[a-z]*f|^--force/.test(text))) return NOTHING;
  const dashes = words.findIndex(({ text }) => text === "--");
  if (dashes >= 0 && dashes < words.length - 1 && !has("-p", "--patch")) {
    return named(words.slice(dashes + 1));
  }
  if (verb === "restore") {
    if (has("--staged", "-S") && !has("--worktree", "-W")) return NOTHING;
    if (!words.some(({ text }) => /^-(?:s|-source|-pathspec)/.test(text))) return named(operands);
  }
  return rewritesAll(words);
}

function dynamic(word: Word): boolean {
  return word.dynamic;
}

/** The paths that were named, and what is below them. */
function named(words: readonly Word[]): Effect {
  // `:(glob)…` and `:/` are git's patterns.
  const odd = words.some((word) => word.dynamic || word.text.startsWith(":"));
  const writes = each(words.filter((word) => !word.dynamic), { tree: true });
  return { writes, movesPaths: true, unknown: odd ? "git" : undefined };
}

/** Any file of the working tree. */
function rewritesAll(words: readonly Word[]): Effect {
  const writes = [{ word: REPOSITORY, tree: true }];
  return { writes, movesPaths: true, unknown: words.some(dynamic) ? "git" : undefined };
}

/** Replaced by the root of the repository that the command runs in. */
export const REPOSITORY: Word = literalWord("<repository>");
