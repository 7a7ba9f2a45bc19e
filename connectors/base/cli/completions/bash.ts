import { branches } from "./branches.ts";
import type { CompletionWords } from "./words.ts";

export function bash(binary: string, words: CompletionWords): string {
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
  case "$given" in
${next}  esac
  if [ "\${word#-}" != "$word" ]; then COMPREPLY=($(compgen -W "$flags" -- "$word"))
  elif [ -z "$first" ]; then COMPREPLY=($(compgen -W "${words.first.join(" ")}" -- "$word"))
  else COMPREPLY=($(compgen -W "$next" -- "$word")); fi
}
complete -o default -F ${name} ${binary}
`;
}
