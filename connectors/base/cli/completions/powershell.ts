import { type CompletionWords, spellings } from "./words.ts";

export function powershell(binary: string, words: CompletionWords): string {
  const list = (items: readonly string[]) => `@(${items.map((item) => `'${item}'`).join(", ")})`;
  const table = (map: ReadonlyMap<string, readonly string[]>) =>
    [...map].map(([key, items]) => `    '${key}' = ${list(items)}`).join("\n");
  const flags = new Map([...words.flags].map(([command, flags]) => [command, flags.flatMap(spellings)]));
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
  $key = ''; $group = ''
  foreach ($count in 1, 2, 3) {
    $name = ($given | Select-Object -First $count) -join ' '
    if ($flags.ContainsKey($name)) { $key = $name }
    if ($after.ContainsKey($name)) { $group = $name }
  }
  $candidates = if ($valued -ccontains $last) { $choices[$last] } elseif ($word -like '-*') { $flags[$key] } elseif ($given.Count -eq 0) { $first } else { $after[$group] }
  $candidates | Where-Object { $_ -like "$word*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`;
}
