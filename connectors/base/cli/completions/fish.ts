import type { Command } from "../command.ts";
import type { CompletionWords } from "./words.ts";

export function fish(binary: string, commands: readonly Command[], words: CompletionWords): string {
  const quote = (text: string) => `'${text.replace(/[\\']/g, "\\$&")}'`;
  const lines = [`# ${binary} completions fish > ~/.config/fish/completions/${binary}.fish`];
  const complete = (...parts: string[]) => lines.push(["complete", "-c", binary, ...parts].join(" "));
  const name = `__${binary.replace(/[^a-z0-9]/gi, "_")}`;
  lines.push(
    `function ${name}_words
  set -l last ''
  for each in (commandline -opc)[2..-1]
    if contains -- "$last" ${words.valued.join(" ")}
      set last ''
      continue
    end
    set last $each
    string match -q -- '-*' $each; or echo $each
  end
end
function ${name}_is
  set -l given (${name}_words)
  for at in (seq (count $argv))
    test "$given[$at]" = "$argv[$at]"; or return 1
  end
end`,
  );
  const summaries = new Map(commands.map((command) => [command.id.split(".")[0], command.summary]));
  const counted = (count: number) => `test (count (${name}_words)) -eq ${count}`;
  complete("-f");
  for (const word of words.first) {
    complete("-n", quote(counted(0)), "-a", word, "-d", quote(summaries.get(word) ?? word));
  }
  for (const [word, next] of words.after) {
    const isGroup = words.groups.has(word);
    const open = `${name}_is ${word}` + (isGroup ? `; and ${counted(word.split(" ").length)}` : "");
    complete("-n", quote(open), "-a", quote(next.join(" ")));
  }
  for (const [command, flags] of words.flags) {
    for (const flag of flags) {
      complete(
        "-n",
        quote(`${name}_is ${command}`),
        "-l",
        flag.name,
        ...flag.short ? ["-s", flag.short] : [],
        ...flag.choices
          ? ["-x", "-a", quote(flag.choices.join(" "))]
          : flag.value && !flag.alone
          ? ["-r", "-F"]
          : [],
        "-d",
        quote(flag.summary),
      );
    }
  }
  return lines.join("\n") + "\n";
}
