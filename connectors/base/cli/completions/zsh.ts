import { branches } from "./branches.ts";
import type { CompletionWords } from "./words.ts";

/** The function has the file's name, so that it works both autoloaded (from the first TAB) and sourced. */
export function zsh(binary: string, words: CompletionWords): string {
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
  case "$given" in
${next}  esac
  if [[ "$PREFIX" == -* ]]; then compadd -- $flags
  elif [[ -z "$first" ]]; then compadd -- ${words.first.join(" ")}
  elif (( $#next )); then compadd -- $next
  else _files; fi
}
if [ "$funcstack[1]" = "_${binary}" ]; then _${binary} "$@"; else compdef _${binary} ${binary}; fi
`;
}
