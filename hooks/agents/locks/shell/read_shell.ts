import { home, HOST, isDirectory, parentDir, type Surroundings } from "../../../state/paths.ts";
import { diffTargets, patchTargets } from "../targets/patch_targets.ts";
import { isAbsolute, linkTarget, MAX_PATH, withoutDots } from "../targets/target_path.ts";
import { FILE_COMMANDS } from "./file_commands.ts";
import { gitCommand, REPOSITORY } from "./git_command.ts";
import { HARMLESS, isDangerousVariable } from "./harmless.ts";
import { type Connector, type Item, parseShell, type Redirect, type SimpleCommand } from "./parse.ts";
import { TEXT_COMMANDS } from "./text_commands.ts";
import { escapeRegExp, isStatic, literalWord, type Word } from "./word.ts";
import { each, type Effect, NOTHING, unknown, type Write } from "./writes.ts";

/** A path that a shell text writes. */
export interface ShellTarget {
  /** Absolute; links are not resolved. With a pattern, the directory to look in. */
  readonly path: string;
  /** Everything below it, too. */
  readonly tree: boolean;
  /** What a glob can match, from `path` on: a regular expression for the rest. */
  readonly pattern?: string;
}

export interface ShellReading {
  readonly targets: readonly ShellTarget[];
  /** What could not be read: it may write anything. Empty if everything was understood. */
  readonly unknown: readonly string[];
}

/** Where nothing is kept. */
const DEVICES = /^\/dev\/(?:null|zero|full|tty|stdin|stdout|stderr|fd\/\d+)$/;
const MAX_CWDS = 16;
const MAX_DEPTH = 8;
const MAX_TARGETS = 1_000;
const VERY_MANY = "very many files";

/**
 * Which files a shell text may write, as far as that shows without running
 * anything. Whatever is not understood is unknown, never harmless.
 */
export function readShell(text: string, cwd: string, host: Surroundings = HOST): ShellReading {
  const reader = new Reader(host, cwd);
  // PowerShell and cmd have other rules.
  if (host.os === "windows") reader.unknown("a shell of Windows");
  reader.run(parseShell(text), 0);
  return reader.result();
}

class Reader {
  readonly #host: Surroundings;
  readonly #targets = new Map<string, ShellTarget>();
  readonly #unknown = new Set<string>();
  /** The directories that the shell may be in. */
  #cwds: string[];
  /** Those that it is in if the `&&` list before did not succeed. */
  #otherwise: string[] = [];
  /** All directories that it has been in. */
  readonly #visited: Set<string>;
  /** Inside `if`, a loop or braces: commands may run more than once, or not at all. */
  #compound = 0;
  #loops = false;
  #writers = 0;
  #moves = false;

  constructor(host: Surroundings, cwd: string) {
    this.#host = host;
    this.#cwds = [withoutDots(cwd, host)];
    this.#visited = new Set(this.#cwds);
  }

  unknown(why: string): void {
    this.#unknown.add(why);
  }

  result(): ShellReading {
    if (this.#moves && this.#writers > 1) this.unknown("paths that change while it runs");
    return { targets: [...this.#targets.values()], unknown: [...this.#unknown] };
  }

  run(items: readonly Item[], depth: number): void {
    if (depth > MAX_DEPTH) return this.unknown("deep nesting");
    let before: Connector = ";";
    let listCwds = this.#cwds;
    for (const item of items) {
      if (item.kind === "unknown") {
        this.unknown(item.why);
        continue;
      }
      if (item.kind === "group") this.#apart(() => this.run(item.items, depth + 1));
      else {
        for (const nested of item.nested) this.#apart(() => this.run(nested, depth + 1));
        if (item.next === "|" || before === "|" || item.next === "&") {
          this.#apart(() => this.#command(item, before, depth));
          // zsh runs the last command of a pipeline itself.
          if (item.words[0]?.text === "cd") this.unknown("cd in a pipeline");
        } else this.#command(item, before, depth);
      }
      before = item.next;
      if (before !== "&&") this.#join();
      // `&` puts the whole list into the background, with the `cd` that it may begin with.
      if (before === "&") this.#setCwds([...listCwds, ...this.#cwds]);
      if (before === "&" || before === ";") listCwds = this.#cwds;
    }
  }

  #join(): void {
    this.#setCwds([...this.#cwds, ...this.#otherwise]);
    this.#otherwise = [];
  }

  /** In a shell of its own: changes of the directory stay there. */
  #apart(run: () => void): void {
    const [cwds, otherwise] = [this.#cwds, this.#otherwise];
    this.#otherwise = [];
    run();
    [this.#cwds, this.#otherwise] = [cwds, otherwise];
  }

  #setCwds(cwds: readonly string[]): void {
    this.#cwds = [...new Set(cwds)].slice(0, MAX_CWDS);
    if (new Set(cwds).size > MAX_CWDS) this.unknown("many directories");
    for (const cwd of this.#cwds) this.#visited.add(cwd);
  }

  #command(command: SimpleCommand, before: Connector, depth: number): void {
    const { redirects } = command;
    const words = this.#assignments(command.words);
    const [first, ...args] = words;
    const cwds = this.#cwds;
    // The redirections of a whole block were opened before the block began.
    const block = first === undefined || /^(?:done|fi|\}|esac)$/.test(first.text);
    for (const redirect of redirects) this.#redirect(redirect, block ? [...this.#visited] : cwds);
    if (first === undefined) return;
    if (!isStatic(first) || first.tilde) return this.unknown("a command whose name is computed");
    if (first.bare) this.#reserved(first.text);
    if (first.text === "cd") return this.#changeDir(args, before, command.next);
    const { effect, dir } = this.#effectOf(first, args, redirects, depth);
    if (effect.unknown !== undefined) this.unknown(effect.unknown);
    if (effect.movesPaths) this.#moves = true;
    const base = dir === undefined ? cwds : this.#resolveDir(dir);
    if (effect.writes.length > 0) this.#writers++;
    for (const write of effect.writes) this.#add(write, base);
  }

  #reserved(word: string): void {
    if (/^(?:if|while|until|for|\{|case|select)$/.test(word)) this.#compound++;
    if (/^(?:while|until|for)$/.test(word)) this.#loops = true;
    if (/^(?:fi|done|\}|esac)$/.test(word)) this.#compound--;
  }

  /** The words after the variables that a command begins with. */
  #assignments(words: readonly Word[]): readonly Word[] {
    let i = 0;
    for (; i < words.length; i++) {
      const name = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?=/.exec(words[i]?.text ?? "")?.[1];
      if (name === undefined || !/^[A-Za-z_]/.test(words[i]?.text ?? "")) break;
      if (isDangerousVariable(name)) this.unknown(`a change of ${name}`);
    }
    return words.slice(i);
  }

  #effectOf(
    first: Word,
    args: readonly Word[],
    redirects: readonly Redirect[],
    depth: number,
  ): { effect: Effect; dir?: Word } {
    // `/bin/rm` is rm; a program in the project may be anything.
    const name = first.text.replace(/^\/(?:usr\/)?(?:local\/)?s?bin\//, "");
    if (OPENERS.has(name) && first.bare) return { effect: NOTHING };
    if (name === "git") {
      const { dir, ...effect } = gitCommand(args);
      return { effect, dir };
    }
    if (DECLARES.has(name)) this.#assignments(args.filter(({ text }) => !text.startsWith("-")));
    if (ASSIGNS.has(name) && args.some(({ text }) => isDangerousVariable(text))) {
      return { effect: unknown(name) };
    }
    if (HARMLESS.has(name)) return { effect: NOTHING };
    const known = own(FILE_COMMANDS, name) ?? own(TEXT_COMMANDS, name);
    if (known !== undefined) return { effect: known(args) };
    return { effect: this.#wrapper(name, args, redirects, depth) };
  }

  /** Commands that run other commands. */
  #wrapper(name: string, args: readonly Word[], redirects: readonly Redirect[], depth: number): Effect {
    const body = redirects.find(({ op }) => op === "<<")?.body;
    switch (name) {
      case "apply_patch":
      case "applypatch": {
        const [patch] = args;
        const text = body ?? (patch !== undefined && isStatic(patch) ? patch.text : undefined);
        const paths = text === undefined ? undefined : patchTargets(text);
        return paths === undefined ? unknown(name) : { writes: each(paths.map(literalWord)) };
      }
      case "patch":
        return unknown(name, each((body === undefined ? [] : diffTargets(body)).map(literalWord)));
      case "sh":
      case "bash":
      case "dash":
      case "zsh": {
        const [flag, script, ...rest] = args;
        if (
          flag === undefined || !/^-[eluxi]*c$/.test(flag.text) || script === undefined || !isStatic(script)
        ) {
          return unknown(name);
        }
        if (rest.some(({ dynamic }) => dynamic)) this.unknown(name);
        this.#apart(() => this.run(parseShell(script.text, depth + 1), depth + 1));
        return NOTHING;
      }
      case "eval":
        if (args.every(isStatic)) {
          this.run(parseShell(args.map(({ text }) => text).join(" "), depth + 1), depth + 1);
        }
        return unknown(name);
      case "command":
      case "builtin":
      case "exec":
      case "nohup":
      case "sudo":
      case "nice":
      case "env":
      case "timeout":
      case "stdbuf":
        return this.#inner(name, args, redirects, depth);
      default:
        return unknown(/^[\w.+/-]{1,40}$/.test(name) ? name : "an unusual command");
    }
  }

  #inner(name: string, args: readonly Word[], redirects: readonly Redirect[], depth: number): Effect {
    if (depth > MAX_DEPTH) return unknown("deep nesting");
    let rest = [...args];
    if (name === "command" && /^-[vV]$/.test(rest[0]?.text ?? "")) return NOTHING;
    if (name === "timeout") {
      while (
        /^(?:-[fpv]|--foreground|--preserve-status|--(?:signal|kill-after)=.*)$/.test(rest[0]?.text ?? "")
      ) {
        rest = rest.slice(1);
      }
      rest = rest.slice(1);
    }
    if (name === "env") rest = [...this.#assignments(rest)];
    const [first, ...more] = rest;
    if (first === undefined) return name === "sudo" || name === "nohup" ? unknown(name) : NOTHING;
    if (!isStatic(first) || first.text.startsWith("-") || first.text === "cd") return unknown(name);
    const { effect, dir } = this.#effectOf({ ...first, bare: false }, more, redirects, depth + 1);
    if (dir !== undefined) return { ...effect, unknown: effect.unknown ?? name };
    // nohup may write nohup.out.
    return name === "nohup" ? { ...effect, unknown: effect.unknown ?? name } : effect;
  }

  #redirect({ op, word, body: _body }: Redirect, cwds: readonly string[]): void {
    if (op === "<" || op === "<<" || op === "<<<" || op === "<&") return;
    if (op === ">&" && /^(?:\d+|-|\d+-)$/.test(word.text) && isStatic(word)) return;
    if (word.dynamic) return this.unknown("a computed file name");
    if (DEVICES.test(word.text)) return;
    this.#writers++;
    this.#add({ word, follows: true }, cwds);
  }

  #changeDir(args: readonly Word[], before: Connector, next: Connector): void {
    const operands = args.filter(({ text }) => !/^-[LPe@]+$|^--$/.test(text));
    const [target] = operands;
    const path = target === undefined
      ? this.#path(HOME_WORD)
      : isStatic(target)
      ? this.#path(target)
      : undefined;
    const isPlain = path !== undefined && path !== "-" && operands.length <= 1 && path !== "";
    if (!isPlain || this.#host.env("CDPATH") || this.#loops) return this.unknown("cd");
    const reached = this.#cwds.map((cwd) => this.#absolute(path, cwd));
    if (reached.some(({ length }) => length > MAX_PATH)) return this.unknown("cd");
    const isCertain = this.#writers === 0 && this.#compound === 0 && before === ";" &&
      (next === ";" || next === "&&" || next === "end") && reached.every(isDirectory);
    if (isCertain) this.#setCwds(reached);
    else if (next === "&&" && before !== "||") {
      this.#otherwise.push(...this.#cwds);
      this.#setCwds(reached);
    } else this.#setCwds([...this.#cwds, ...reached]);
  }

  #resolveDir(word: Word): readonly string[] {
    const path = isStatic(word) ? this.#path(word) : undefined;
    if (path === undefined) {
      this.unknown("a computed directory");
      return [];
    }
    return this.#cwds.map((cwd) => this.#absolute(path, cwd));
  }

  #add(
    { word, child, tree = false, follows = false, removes = false }: Write,
    cwds: readonly string[],
  ): void {
    if (word.dynamic || child?.dynamic) return this.unknown("a computed file name");
    // Before anything is looked up on disk, which takes a second for 20,000 files.
    if (this.#targets.size >= MAX_TARGETS) return this.unknown(VERY_MANY);
    if (word === REPOSITORY) {
      for (const cwd of cwds) this.#target({ path: repositoryOf(cwd), tree: true });
      return;
    }
    const path = this.#path(word);
    if (path === undefined) return this.unknown("a path in a home directory");
    if (path.length > MAX_PATH) return this.unknown("a very long path");
    for (const cwd of cwds) {
      const absolute = this.#absolute(path, cwd);
      if (removes && !this.#moves) this.#moves = linkTarget(absolute) !== undefined;
      if (word.glob) {
        this.#glob(word, this.#absolute(path.slice(0, path.lastIndexOf("/", path.search(/[*?]/)) + 1), cwd));
        if (child !== undefined || follows) this.unknown("a glob");
      } else if (child?.glob) {
        this.#target(
          isSimple(child) ? { path: absolute, tree, pattern: child.source } : { path: absolute, tree: true },
        );
        this.unknown("a glob");
      } else {this.#target({
          path: child === undefined ? absolute : this.#absolute(child.text, absolute),
          tree,
        });}
    }
  }

  /** What a glob finds, which may be directories. */
  #glob(word: Word, dir: string): void {
    const slash = word.text.lastIndexOf("/", word.globAt);
    const skipped = slash < 0 ? "" : escapeRegExp(word.text.slice(0, slash + 1));
    const pattern = word.source.slice(skipped.length);
    // A directory that it finds on its way may be a link.
    if (pattern.includes("\\/") || pattern.includes(".*")) this.unknown("a glob with several parts");
    this.#target(isSimple(word) ? { path: dir, tree: true, pattern } : { path: dir, tree: true });
  }

  #target(target: ShellTarget): void {
    if (this.#targets.size >= MAX_TARGETS) return this.unknown(VERY_MANY);
    this.#targets.set(`${target.tree} ${target.path} ${target.pattern ?? ""}`, target);
  }

  /** A word's path, with `~` replaced; undefined if that is not known. */
  #path(word: Word): string | undefined {
    if (!word.tilde) return word.text;
    const base = home(this.#host);
    if (base === undefined || /[\s*?[]/.test(base)) return undefined;
    return word.text === "~" || word.text.startsWith("~/") ? base + word.text.slice(1) : undefined;
  }

  #absolute(path: string, cwd: string): string {
    const full = isAbsolute(path, this.#host) ? path : `${cwd}/${path}`;
    // `..` after a link is resolved by whoever checks the path.
    return full.includes("..") ? full.replace(/\/+/g, "/") : withoutDots(full, this.#host);
  }
}

/** An expression with many choices can take for ever: then everything in the directory counts. */
function isSimple({ text, source }: Word): boolean {
  return text.length <= 1000 && text.split("*").length + source.split("(?:").length <= 6;
}

const HOME_WORD: Word = { ...literalWord("~"), tilde: true };
const OPENERS = new Set(["if", "then", "else", "elif", "do", "while", "until", "{", "!", "time"]);
/** Built-ins that can set the variables that are named. */
const ASSIGNS = new Set(["read", "printf", "getopts", "unset", "export", "readonly", "declare", "typeset"]);
const DECLARES = new Set(["export", "declare", "typeset", "local", "readonly", "unset"]);

function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The root of the repository around a directory; the directory itself if there is none. */
function repositoryOf(cwd: string): string {
  for (let dir = cwd; dir !== ""; dir = parentDir(dir)) {
    try {
      Deno.lstatSync(dir === "/" ? "/.git" : `${dir}/.git`);
      return dir;
    } catch {
      // Look further up.
    }
  }
  return cwd;
}
