import type { Json, Path } from "../../edit/edit.ts";
import { isMap } from "../../edit/json_value.ts";

// Codex's descriptor, which every hook loads, imports this: no library, and nothing of the editor.

const EVENTS = new Set([
  "session-start",
  "user-prompt-submit",
  "session-end",
  "pre-compaction",
  "compaction-complete",
  "synthesis",
  "synthesis-complete",
  "notifications",
]);

/**
 * The first words of a shell command, without quotes. Unlike `splitCommand`, it also reads
 * commands that go on with a pipe or `||`: the program and its first arguments are enough here.
 */
export function commandWords(command: string): string[] {
  const words: string[] = [];
  const word = /\s*((?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\])+)/gy;
  for (let found = word.exec(command); found && words.length < 8; found = word.exec(command)) {
    words.push(
      (found[1] ?? "").replace(
        /"((?:[^"\\]|\\.)*)"|'([^']*)'/g,
        (_, a, b) => (a ?? b ?? "").replace(/\\(["\\$`])/g, "$1"),
      ),
    );
  }
  return words;
}

function baseName(program = ""): string {
  return program.replace(/^.*[\\/]/, "").replace(/\.(?:exe|cmd|ps1)$/i, "");
}

/**
 * True for the commands that the original CLI writes: `signet hook <event> …`,
 * on Windows `"<node>" "<signet.js>" hook <event> …`, and `signet-mcp`.
 */
export function isOriginalCommand(words: readonly string[]): boolean {
  const rest = baseName(words[0]) === "node" && /^(?:signet|signet-mcp)\.[cm]?js$/.test(baseName(words[1]))
    ? words.slice(1)
    : words;
  const program = baseName(rest[0]).replace(/\.[cm]?js$/, "");
  if (program === "signet-mcp") return true;
  return program === "signet" && rest[1] === "hook" && EVENTS.has(rest[2] ?? "");
}

/** The words of a command, or of a handler that has one. */
export function wordsOf(value: Json): string[] | undefined {
  if (typeof value === "string") return commandWords(value);
  if (Array.isArray(value)) {
    return value.every((word) => typeof word === "string") ? value.map(String) : undefined;
  }
  if (!isMap(value) || value.command === undefined) return undefined;
  const words = wordsOf(value.command);
  const args = Array.isArray(value.args)
    ? value.args.filter((arg) => typeof arg === "string").map(String)
    : [];
  // A command with arguments beside it is a program's path, which may hold spaces.
  return words && args.length > 0 && typeof value.command === "string" ? [value.command, ...args] : words;
}

/** Codex's connector of 0.145 marks its file and its groups with this key, which Codex 0.166 rejects. */
export const MARK = "_signet";

/** A parsed value without the entries at these paths. */
export function withoutPaths(value: unknown, paths: readonly Path[]): unknown {
  return [...paths].reverse().reduce(withoutPath, value);
}

function withoutPath(value: unknown, [key, ...rest]: Path): unknown {
  if (key === undefined) return value;
  if (Array.isArray(value)) {
    const index = Number(key);
    if (rest.length === 0) return value.filter((_, i) => i !== index);
    return value.map((item, i) => i === index ? withoutPath(item, rest) : item);
  }
  if (!isMap(value) || !Object.hasOwn(value, key)) return value;
  const { [key]: inner, ...others } = value;
  return rest.length === 0 ? others : { ...value, [key]: withoutPath(inner, rest) };
}

/** The same for a parsed value, which verify.ts compares. */
export function withoutOriginalEntries(value: unknown, path: Path = []): unknown {
  const isOriginal = (item: unknown) => {
    if (typeof item === "string" ? !isHook(path) : !isMap(item)) return false;
    const words = typeof item === "string" || isMap(item) ? wordsOf(item) : undefined;
    return words !== undefined && isOriginalCommand(words);
  };
  if (Array.isArray(value)) {
    return value.filter((item) => !isOriginal(item)).flatMap((item) => {
      const left = withoutOriginalEntries(item, path);
      return isEmptied(left) && !isEmptied(item) ? [] : [left];
    });
  }
  if (!isMap(value)) return value;
  const kept = Object.entries(value).filter(([key, item]) =>
    key === "command" || (!isOriginal(item) && !(key === MARK && item === true))
  );
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutOriginalEntries(item, [...path, key])]));
}

/** A group whose handlers were all removed. */
function isEmptied(value: unknown): boolean {
  return isMap(value) && Object.values(value).some((item) => Array.isArray(item) && item.length === 0);
}

/** A string is a command only among hooks: elsewhere it may be a note about one. */
export function isHook(path: Path): boolean {
  return path.includes("hooks");
}
