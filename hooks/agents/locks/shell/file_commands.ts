import { type Options, readOptions } from "./options.ts";
import type { Word } from "./word.ts";
import { MAX_PATH } from "../targets/target_path.ts";
import { baseName, each, type Effect, NOTHING, unknown, type Write } from "./writes.ts";

/** The commands whose arguments say which files they write. */
export const FILE_COMMANDS: Readonly<Record<string, (args: readonly Word[]) => Effect>> = {
  rm(args) {
    const options = readOptions(args, {
      flags: "rRfiIvd",
      long: ["recursive", "force", "verbose", "dir", "one-file-system", "preserve-root", "no-preserve-root"],
    });
    const tree = has(options, "r", "R", "recursive");
    // Names that a glob finds may begin with a dash, so `rm *` may be `rm -r …`.
    const writes = options.operands.map((word) => ({ word, tree: tree || word.glob, removes: true }));
    return effect("rm", options, writes);
  },
  rmdir: (args) => simple("rmdir", args, { flags: "pv", long: ["parents", "verbose"] }),
  unlink: (args) => simple("unlink", args, { flags: "" }, { removes: true }),
  mkdir(args) {
    const options = readOptions(args, {
      flags: "pvZ",
      long: ["parents", "verbose"],
      values: "m",
      longValues: ["mode"],
    });
    return effect("mkdir", options, options.operands.flatMap(withParents));
  },
  touch: (args) =>
    simple("touch", args, {
      flags: "acmhf",
      long: ["no-create", "no-dereference"],
      values: "drt",
      longValues: ["date", "reference", "time"],
    }, { follows: true }),
  truncate: (args) =>
    simple("truncate", args, {
      flags: "co",
      long: ["no-create", "io-blocks"],
      values: "sr",
      longValues: ["size", "reference"],
    }, { follows: true }),
  tee: (args) =>
    simple("tee", args, { flags: "aip", long: ["append", "ignore-interrupts"] }, { follows: true }),
  mv(args) {
    const options = readOptions(args, {
      flags: "finvuTh",
      long: ["force", "no-clobber", "verbose", "update", "no-target-directory", "strip-trailing-slashes"],
      values: "t",
      longValues: ["target-directory"],
    });
    const { sources, writes } = copyInto(options, true);
    return { ...effect("mv", options, [...each(sources, { tree: true }), ...writes]), movesPaths: true };
  },
  cp(args) {
    const options = readOptions(args, {
      flags: "rRapPLHdfinuvlsTx",
      long: ["recursive", "archive", "force", "no-clobber", "verbose", "update", "dereference"],
      values: "t",
      longValues: ["target-directory", "preserve", "no-preserve", "reflink", "sparse"],
    });
    const deep = has(options, "r", "R", "a", "recursive", "archive");
    const links = has(options, "P", "d", "s", "l");
    const result = effect("cp", options, copyInto(options, deep).writes);
    // Links that are already in the copy's place are followed.
    return { ...result, movesPaths: deep || links, unknown: result.unknown ?? (deep ? "cp -r" : undefined) };
  },
  install(args) {
    const options = readOptions(args, {
      flags: "dDCcpvT",
      long: ["directory", "verbose"],
      values: "mgot",
      longValues: ["mode", "owner", "group", "target-directory"],
    });
    if (has(options, "d", "directory")) {
      return effect("install", options, options.operands.flatMap(withParents));
    }
    const made = has(options, "D") ? options.operands.slice(-1).flatMap(withParents) : [];
    return effect("install", options, [...copyInto(options, false).writes, ...made]);
  },
  ln(args) {
    const options = readOptions(args, {
      flags: "sfnrviTPL",
      long: ["symbolic", "force", "no-dereference", "relative", "verbose"],
      values: "t",
      longValues: ["target-directory"],
    });
    const [only, second] = options.operands;
    const writes = only !== undefined && second === undefined && !options.given.has("t")
      ? each([baseName(only)])
      : copyInto(options, false).writes;
    return { ...effect("ln", options, writes), movesPaths: true };
  },
  chmod: (args) => modes("chmod", args.filter(({ text }) => !/^-[rwxXstugoa]+$/.test(text)), args),
  chown: (args) => modes("chown", args, args),
  chgrp: (args) => modes("chgrp", args, args),
  dd(args) {
    const output = args.filter(({ text }) => text.startsWith("of="));
    const writes = output.map((word) => ({ word: tail(word, 3), follows: true }));
    return args.some(({ dynamic, glob }) => dynamic || glob) ? unknown("dd", writes) : { writes };
  },
};

function has({ given }: Options, ...names: string[]): boolean {
  return names.some((name) => given.has(name));
}

function effect(name: string, options: Options, writes: readonly Write[]): Effect {
  const isUnknown = options.unknown || writes.some(({ word, child }) => word.dynamic || child?.dynamic);
  return isUnknown ? unknown(name, writes.filter(({ word }) => !word.dynamic)) : { writes };
}

function simple(
  name: string,
  args: readonly Word[],
  table: Parameters<typeof readOptions>[1],
  how: Omit<Write, "word"> = {},
): Effect {
  const options = readOptions(args, table);
  return effect(name, options, each(options.operands, how));
}

/**
 * The places that `cp`, `mv`, `ln` and `install` write. Whether the last operand is
 * a directory is decided when the command runs, so both meanings count.
 */
function copyInto(options: Options, tree: boolean): { sources: Word[]; writes: Write[] } {
  const dir = options.given.get("t") ?? options.given.get("target-directory");
  const sources = dir === undefined ? options.operands.slice(0, -1) : [...options.operands];
  const target = dir ?? options.operands.at(-1);
  // A glob alone may find both: `mv [ab]`.
  if (target === undefined || (sources.length === 0 && !target.glob)) return { sources, writes: [] };
  const writes: Write[] = [{ word: target, tree: false, follows: true }];
  for (const source of sources) {
    writes.push({ word: target, child: baseName(source), tree, follows: true });
    // Into a name that does not exist yet, a directory is copied or moved as that name.
    if (tree && sources.length === 1) writes.push({ word: target, tree: true });
  }
  return { sources, writes };
}

/** `mkdir -p a/b` makes `a`, too. */
function withParents(word: Word): Write[] {
  const writes: Write[] = [{ word }];
  if (word.text.length > MAX_PATH) return writes;
  for (let cut = word.text.indexOf("/", 1); cut > 0 && !word.glob; cut = word.text.indexOf("/", cut + 1)) {
    writes.push({ word: { ...word, text: word.text.slice(0, cut) } });
  }
  return writes;
}

function modes(name: string, args: readonly Word[], all: readonly Word[]): Effect {
  const options = readOptions(args, {
    flags: "RvcfhHLP",
    long: ["recursive", "verbose", "changes", "silent", "quiet", "no-dereference"],
    longValues: ["reference"],
  });
  const isOption = all.length !== args.length || has(options, "reference");
  const files = isOption ? options.operands : options.operands.slice(1);
  return effect(name, options, each(files, { tree: has(options, "R", "recursive"), follows: true }));
}

/** The rest of a word, such as the path in `of=path`. */
function tail(word: Word, from: number): Word {
  return { ...word, text: word.text.slice(from), tilde: false };
}

/** A command that copies its input, if it has an output operand: `uniq in out`, `xxd in out`. */
export function secondOperand(args: readonly Word[], table: Parameters<typeof readOptions>[1]): Effect {
  const options = readOptions(args, table);
  const [, output, ...more] = options.operands;
  if (options.unknown || more.length > 0) return unknown("its operands", each(options.operands.slice(1)));
  return output === undefined ? NOTHING : { writes: each([output], { follows: true }) };
}
