import { type Command, type Context, EXIT, type Flag, type Outcome, UserError } from "../command.ts";
import { completionWords, longestFirst, SHELLS, typed, type Words } from "../completion_words.ts";
import { suggestion } from "../parse.ts";

const longNames = (flags: readonly Flag[]) => flags.map((flag) => `--${flag.name}`).join(" ");

/** The `case` branches that bash and zsh share; `list` is how each writes a list. */
function branches(words: Words, list: (items: string) => string) {
  const branch = (pattern: string, name: string, items: string) =>
    `    ${pattern}) ${name}=${list(items)} ;;\n`;
  return {
    valued: words.valued.join("|"),
    flags: longestFirst(words.flags)
      .map(([command, flags]) => branch(`"${command} "*`, "flags", longNames(flags))).join(""),
    next: [...words.after].map(([word, next]) => branch(`"${word}"`, "next", next.join(" "))).join(""),
    choices: [...words.choices].map(([flag, values]) => branch(flag, "values", values.join(" "))).join(""),
  };
}

function bash(binary: string, words: Words): string {
  const name = `_${binary.replace(/[^a-z0-9]/gi, "_")}`;
  const { valued, flags, next, choices } = branches(words, (items) => `"${items}"`);
  return `# ${binary} completions bash > ~/.local/share/bash-completion/completions/${binary}
${name}() {
  local word="\${COMP_WORDS[COMP_CWORD]}" first="" given="" each last="" flags="" next="" values=""
  for each in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$last" in ${valued}) last=""; continue ;; esac
    last="$each"
    case "$each" in -*) ;; *) first="\${first:-$each}" given="$given$each " ;; esac
  done
  COMPREPLY=()
  case "$last" in
${choices}  esac
  case "$last" in ${valued}) COMPREPLY=($(compgen -W "$values" -- "$word")); return ;; esac
  case "$given" in
${flags}  esac
  case "$first" in
${next}  esac
  if [ "\${word#-}" != "$word" ]; then COMPREPLY=($(compgen -W "$flags" -- "$word"))
  elif [ -z "$first" ]; then COMPREPLY=($(compgen -W "${words.first.join(" ")}" -- "$word"))
  else COMPREPLY=($(compgen -W "$next" -- "$word")); fi
}
complete -o default -F ${name} ${binary}
`;
}

/** A function of the file's own name: as an autoloaded file it then completes at the first TAB, and sourced it works too. */
function zsh(binary: string, words: Words): string {
  const { valued, flags, next, choices } = branches(words, (items) => `(${items})`);
  return `#compdef ${binary}
# ${binary} completions zsh > a directory in $fpath, as _${binary}
_${binary}() {
  local first="" given="" each last=""
  local -a flags next values
  for each in "\${(@)words[2,CURRENT-1]}"; do
    case "$last" in (${valued}) last=""; continue ;; esac
    last="$each"
    case "$each" in (-*) ;; (*) first="\${first:-$each}" given="$given$each " ;; esac
  done
  case "$last" in
${choices}  esac
  case "$last" in (${valued}) if (( $#values )); then compadd -- $values; else _files; fi; return ;; esac
  case "$given" in
${flags}  esac
  case "$first" in
${next}  esac
  if [[ "$PREFIX" == -* ]]; then compadd -- $flags
  elif [[ -z "$first" ]]; then compadd -- ${words.first.join(" ")}
  elif (( $#next )); then compadd -- $next
  else _files; fi
}
if [ "$funcstack[1]" = "_${binary}" ]; then _${binary} "$@"; else compdef _${binary} ${binary}; fi
`;
}

function fish(binary: string, commands: readonly Command[], words: Words): string {
  const quote = (text: string) => `'${text.replace(/[\\']/g, "\\$&")}'`;
  const lines = [`# ${binary} completions fish > ~/.config/fish/completions/${binary}.fish`];
  const offer = (...parts: string[]) => lines.push(["complete", "-c", binary, ...parts].join(" "));
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
  offer("-f");
  for (const word of words.first) {
    offer("-n", quote(counted(0)), "-a", word, "-d", quote(summaries.get(word) ?? word));
  }
  for (const [word, next] of words.after) {
    const open = `${name}_is ${word}` + (words.groups.has(word) ? `; and ${counted(1)}` : "");
    offer("-n", quote(open), "-a", quote(next.join(" ")));
  }
  for (const [command, flags] of words.flags) {
    for (const flag of flags) {
      offer(
        "-n",
        quote(`${name}_is ${command}`),
        "-l",
        flag.name,
        ...flag.short ? ["-s", flag.short] : [],
        ...flag.choices ? ["-x", "-a", quote(flag.choices.join(" "))] : flag.value ? ["-r", "-F"] : [],
        "-d",
        quote(flag.summary),
      );
    }
  }
  return lines.join("\n") + "\n";
}

function powershell(binary: string, words: Words): string {
  const list = (items: readonly string[]) => `@(${items.map((item) => `'${item}'`).join(", ")})`;
  const table = (map: ReadonlyMap<string, readonly string[]>) =>
    [...map].map(([key, items]) => `    '${key}' = ${list(items)}`).join("\n");
  const flags = new Map([...words.flags].map(([command, flags]) => [command, flags.flatMap(typed)]));
  return `# ${binary} completions powershell >> $PROFILE
Register-ArgumentCompleter -Native -CommandName ${binary} -ScriptBlock {
  param($word, $ast, $position)
  $first = ${list(words.first)}
  $valued = ${list(words.valued)}
  $after = @{
${table(words.after)}
  }
  $flags = @{
${table(flags)}
  }
  $choices = @{
${table(words.choices)}
  }
  $given = @(); $last = ''
  foreach ($element in @($ast.CommandElements | Select-Object -Skip 1)) {
    if ($element.Extent.EndOffset -ge $position) { break }
    if ($valued -ccontains $last) { $last = ''; continue }
    $last = "$element"
    if ($last -notlike '-*') { $given += $last }
  }
  $key = ($given | Select-Object -First 2) -join ' '
  if (-not $flags.ContainsKey($key)) { $key = "$($given | Select-Object -First 1)" }
  $candidates = if ($valued -ccontains $last) { $choices[$last] } elseif ($word -like '-*') { $flags[$key] } elseif ($given.Count -eq 0) { $first } else { $after[$given[0]] }
  $candidates | Where-Object { $_ -like "$word*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`;
}

/** The completion script of a shell; undefined for one that we do not speak. */
export function script(
  shell: string,
  binary: string,
  commands: readonly Command[],
  harnesses: readonly string[],
): string | undefined {
  const words = completionWords(commands, harnesses);
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
