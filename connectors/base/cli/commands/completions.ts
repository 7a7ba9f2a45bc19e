import { type Command, type Context, EXIT, type Outcome, UserError } from "../command.ts";
import { bash } from "../completions/bash.ts";
import { fish } from "../completions/fish.ts";
import { powershell } from "../completions/powershell.ts";
import { completionWords, SHELLS } from "../completions/words.ts";
import { zsh } from "../completions/zsh.ts";
import { suggestion } from "../suggestion.ts";

/** The completion script for a shell; undefined if the shell is not supported. */
function script(
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
        : "No shell was given.",
      EXIT.usage,
      SHELLS.map((each) => `${binary} completions ${each}`).join(", or "),
    );
  }
  ui.block(text);
  return Promise.resolve({ code: EXIT.ok, data: { shell, script: text } });
}
