import { type Command, type Context, EXIT, type Flag, type Outcome, UserError } from "./command.ts";
import { GLOBAL_FLAGS, HARNESS_FLAG, suggestion } from "./parse.ts";

export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;

/** What may follow which words: one list for all four shells. */
interface Words {
  /** First words: commands, and groups such as `config`. */
  readonly first: string[];
  /** Words after a group, or after a command with a closed set of arguments. */
  readonly after: Map<string, string[]>;
  /** Flags by command, in words. */
  readonly flags: Map<string, string[]>;
}

function collect(commands: readonly Command[], harnesses: readonly string[]): Words {
  const many = harnesses.length > 1;
  const globals = many ? [...GLOBAL_FLAGS, HARNESS_FLAG] : GLOBAL_FLAGS;
  const names = (flags: readonly Flag[]) => flags.map((flag) => `--${flag.name}`);
  const after = new Map<string, string[]>([["completions", [...SHELLS]]]);
  const flags = new Map<string, string[]>();
  const first: string[] = [];
  for (const command of commands) {
    const [head = "", verb] = command.id.split(".");
    if (!first.includes(head)) first.push(head);
    if (verb) after.set(head, [...after.get(head) ?? [], verb]);
    else if (many && command.resource === "harness") after.set(head, [...harnesses]);
    flags.set(command.id.replace(".", " "), [...names(command.flags), ...names(globals)]);
  }
  return { first, after, flags };
}

const identifier = (binary: string) => binary.replace(/[^a-z0-9]/gi, "_");

function bash(binary: string, words: Words): string {
  // Two words before one, so that `config show` is not taken for `config`.
  const byLength = [...words.flags].sort(([a], [b]) => b.split(" ").length - a.split(" ").length);
  const flags = byLength.map(([command, flags]) => `    "${command} "*) flags="${flags.join(" ")}" ;;\n`);
  const next = [...words.after].map(([word, next]) => `    "${word}") next="${next.join(" ")}" ;;\n`);
  return `# ${binary} completions bash > ~/.local/share/bash-completion/completions/${binary}
_${identifier(binary)}() {
  local word="\${COMP_WORDS[COMP_CWORD]}" first="" given="" each flags="" next=""
  for each in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$each" in -*) ;; *) first="\${first:-$each}" given="$given$each " ;; esac
  done
  case "$given" in
${flags.join("")}  esac
  case "$first" in
${next.join("")}  esac
  if [ "\${word#-}" != "$word" ]; then COMPREPLY=($(compgen -W "$flags" -- "$word"))
  elif [ -z "$first" ]; then COMPREPLY=($(compgen -W "${words.first.join(" ")}" -- "$word"))
  else COMPREPLY=($(compgen -W "$next" -- "$word")); fi
}
complete -o default -F _${identifier(binary)} ${binary}
`;
}

function zsh(binary: string, words: Words): string {
  return `#compdef ${binary}
# ${binary} completions zsh > a directory in $fpath, as _${binary}
autoload -U +X bashcompinit && bashcompinit
${bash(binary, words).split("\n").slice(1).join("\n")}`;
}

function fish(binary: string, commands: readonly Command[], words: Words): string {
  const quote = (text: string) => `'${text.replace(/[\\']/g, "\\$&")}'`;
  const lines = [`# ${binary} completions fish > ~/.config/fish/completions/${binary}.fish`];
  const summaries = new Map(commands.map((command) => [command.id.split(".")[0], command.summary]));
  lines.push(`complete -c ${binary} -f`);
  for (const word of words.first) {
    lines.push(
      `complete -c ${binary} -n __fish_use_subcommand -a ${word} -d ${quote(summaries.get(word) ?? word)}`,
    );
  }
  for (const [word, next] of words.after) {
    lines.push(`complete -c ${binary} -n '__fish_seen_subcommand_from ${word}' -a ${quote(next.join(" "))}`);
  }
  for (const command of commands) {
    const [head] = command.id.split(".");
    for (const flag of command.flags) {
      lines.push(
        `complete -c ${binary} -n '__fish_seen_subcommand_from ${head}' -l ${flag.name}` +
          `${flag.value ? " -r" : ""} -d ${quote(flag.summary)}`,
      );
    }
  }
  for (const flag of GLOBAL_FLAGS) {
    lines.push(`complete -c ${binary} -l ${flag.name}${flag.value ? " -r" : ""} -d ${quote(flag.summary)}`);
  }
  return lines.join("\n") + "\n";
}

function powershell(binary: string, words: Words): string {
  const list = (items: readonly string[]) => `@(${items.map((item) => `'${item}'`).join(", ")})`;
  const table = (map: ReadonlyMap<string, string[]>) =>
    [...map].map(([key, items]) => `    '${key}' = ${list(items)}`).join("\n");
  return `# ${binary} completions powershell >> $PROFILE
Register-ArgumentCompleter -Native -CommandName ${binary} -ScriptBlock {
  param($word, $ast, $position)
  $first = ${list(words.first)}
  $after = @{
${table(words.after)}
  }
  $flags = @{
${table(words.flags)}
  }
  $given = @($ast.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" } | Where-Object { $_ -notlike '-*' -and $_ -ne $word })
  $key = ($given | Select-Object -First 2) -join ' '
  if (-not $flags.ContainsKey($key)) { $key = "$($given | Select-Object -First 1)" }
  $candidates = if ($word -like '-*') { $flags[$key] } elseif ($given.Count -eq 0) { $first } else { $after[$given[0]] }
  $candidates | Where-Object { $_ -like "$word*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`;
}

export function script(
  shell: string,
  binary: string,
  commands: readonly Command[],
  harnesses: readonly string[],
): string | undefined {
  const words = collect(commands, harnesses);
  if (shell === "bash") return bash(binary, words);
  if (shell === "zsh") return zsh(binary, words);
  if (shell === "fish") return fish(binary, commands, words);
  if (shell === "powershell") return powershell(binary, words);
  return undefined;
}

export function run({ args, binary, commands, known, ui }: Context): Promise<Outcome> {
  const [shell = ""] = args;
  const text = script(shell, binary, commands, known.map(({ id }) => id));
  if (text === undefined) {
    const near = suggestion(shell, SHELLS);
    throw new UserError(
      shell
        ? `There are no completions for ${shell}.${near ? ` Did you mean ${near}?` : ""}`
        : "Which shell?",
      EXIT.usage,
      SHELLS.map((each) => `${binary} completions ${each}`).join(", or "),
    );
  }
  ui.block(text);
  return Promise.resolve({ code: EXIT.ok, data: { shell, script: text } });
}
