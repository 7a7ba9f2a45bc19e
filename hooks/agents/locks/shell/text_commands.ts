import { secondOperand } from "./file_commands.ts";
import { readOptions } from "./options.ts";
import { isStatic, type Word } from "./word.ts";
import { each, type Effect, NOTHING, unknown } from "./writes.ts";

/** Commands that usually read, and write with some arguments. */
export const TEXT_COMMANDS: Readonly<Record<string, (args: readonly Word[]) => Effect>> = {
  sed,
  gsed: sed,
  awk,
  gawk: awk,
  mawk: awk,
  perl(args) {
    // Its code can do anything; with -i the files are known as well.
    const inPlace = args.some(({ text }) => /^-[a-zA-Z0-9]*i/.test(text));
    const files = args.filter(({ text, dynamic }) => !text.startsWith("-") && !dynamic);
    return unknown("perl", inPlace ? each(files) : []);
  },
  find(args) {
    const writes = /^-(?:exec|execdir|ok|okdir|delete|fprint.*|fls)$/;
    return args.some(({ text, dynamic }) => dynamic || writes.test(text)) ? unknown("find") : NOTHING;
  },
  sort(args) {
    const options = readOptions(args, {
      flags: "bdfghiMnrRVcCmsuz",
      long: ["numeric-sort", "reverse", "unique", "stable", "human-numeric-sort", "version-sort"],
      values: "oktSTk",
      longValues: ["output", "key", "field-separator", "buffer-size"],
    });
    const output = options.given.get("o") ?? options.given.get("output");
    const writes = output === undefined ? [] : each([output], { follows: true });
    return options.unknown || writes.some(({ word }) => word.dynamic) ? unknown("sort", writes) : { writes };
  },
  uniq: (args) =>
    secondOperand(args, { flags: "cdDiuz", values: "fsw", long: ["count", "repeated", "unique"] }),
  xxd: (args) => secondOperand(args, { flags: "abCeEipPru", values: "cglos" }),
  date: (args) =>
    args.some(({ text, dynamic }) => dynamic || /^-[^-I]*s|^--s/.test(text)) ? unknown("date") : NOTHING,
  file: (args) =>
    args.some(({ text, dynamic }) => dynamic || /^-[^-]*C|^--c/.test(text)) ? unknown("file") : NOTHING,
  tree: (args) =>
    args.some(({ text, dynamic }) => dynamic || /^-[^-]*[oR]/.test(text)) ? unknown("tree") : NOTHING,
  rg: (args) =>
    args.some(({ text, dynamic }) => dynamic || /^--(?:pre|hostname-bin)/.test(text))
      ? unknown("rg")
      : NOTHING,
  hostname: (args) => args.length > 0 ? unknown("hostname") : NOTHING,
};

/** One sed command that writes no file and runs nothing: an address and `p`, `d`, `q`, `=` or `s`. */
const SED_COMMAND =
  /^\s*(?:(?:\d+|\$|\/(?:[^/\\\n]|\\.)*\/)(?:,(?:\d+|\$|\+\d+|\/(?:[^/\\\n]|\\.)*\/))?)?\s*!?\s*(?:[pdq=GhHgxnND]|s(?:\/(?:[^/\\\n]|\\.)*){2}\/[gpiI0-9]*|s(?:\|(?:[^|\\\n]|\\.)*){2}\|[gpiI0-9]*|s(?:#(?:[^#\\\n]|\\.)*){2}#[gpiI0-9]*|s(?:,(?:[^,\\\n]|\\.)*){2},[gpiI0-9]*)\s*$/;

function sed(args: readonly Word[]): Effect {
  // BSD's `-i ''` has its suffix in a word of its own.
  const words = args.filter((word, i) => !(word.text === "" && args[i - 1]?.text === "-i"));
  const suffix = words.map(({ text }) => /^-[nErsuz]*i(.*)$|^--in-place(?:=(.*))?$/s.exec(text)).find(
    Boolean,
  );
  const rest = words.flatMap((word) => {
    if (word.text.startsWith("--in-place")) return [];
    // What follows -i in a word is the suffix of a backup.
    const cut = /^-[nErsuz]*i/.exec(word.text);
    return cut === null ? [word] : cut[0].length > 2 ? [{ ...word, text: cut[0].slice(0, -1) }] : [];
  });
  const options = readOptions(rest, {
    flags: "nErsuz",
    long: ["quiet", "silent", "regexp-extended", "posix", "separate", "unbuffered", "null-data"],
    values: "el",
    longValues: ["expression"],
  });
  const given = options.given.get("e") ?? options.given.get("expression");
  const script = given ?? options.operands[0];
  const files = given === undefined ? options.operands.slice(1) : options.operands;
  const writes = suffix ? each(files) : [];
  const several = rest.filter(({ text }) => /^(?:-[nErsuz]*e|--expression)/.test(text)).length > 1;
  const backup = suffix && (suffix[1] || suffix[2]) ? "a backup" : undefined;
  if (options.unknown || several || script === undefined || script.dynamic || backup !== undefined) {
    return unknown("sed", writes);
  }
  const isPlain = splitScript(script.text).every((command) => SED_COMMAND.test(command));
  if (!isPlain || files.some(({ dynamic }) => dynamic)) return unknown("sed", writes);
  return { writes };
}

/** The commands of a sed script. A `;` inside of `s/;//` gives pieces that do not match, which is safe. */
function splitScript(script: string): string[] {
  return SED_COMMAND.test(script) ? [script] : script.split(/[;\n]/).filter((piece) => piece.trim() !== "");
}

function awk(args: readonly Word[]): Effect {
  const options = readOptions(args, { flags: "", values: "Fv" });
  const [program] = options.operands;
  if (options.unknown || program === undefined || !isStatic(program)) return unknown("awk");
  // `print > file`, `| command`, system(), getline, @include.
  return /[>|@]|system|getline|close|fflush/.test(program.text) ? unknown("awk") : NOTHING;
}
