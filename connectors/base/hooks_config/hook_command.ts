import { isAgentEvent } from "../../../hooks/agents/event.ts";
import { EVENT_NAMES } from "../../../hooks/event.ts";
import type { Surroundings } from "../../../hooks/state/paths.ts";

/** The name under which one binary serves every harness. */
export const CONNECT_BINARY = "signet-connect";

/** A word as a POSIX shell reads it back, in double quotes which people can read too. */
export function quotePosix(word: string): string {
  return `"${word.replace(/[\\"$`]/g, "\\$&")}"`;
}

/** A word as cmd.exe reads it back; a Windows path cannot hold a double quote. */
export function quoteCmd(word: string): string {
  return `"${word}"`;
}

/**
 * A hook as one shell command: the program quoted, our arguments bare, and the
 * working directory where the harness gives none on stdin.
 */
export function shellCommand(
  host: Pick<Surroundings, "os">,
  argv: readonly string[],
  options: { project?: boolean } = {},
): string {
  const windows = host.os === "windows";
  const [program = "", ...rest] = argv;
  const words = [(windows ? quoteCmd : quotePosix)(program), ...rest];
  if (options.project) words.push("--project", windows ? '"%CD%"' : '"$(pwd)"');
  return words.join(" ");
}

const EXEC = "exec ";

/**
 * A hook as a shell command that replaces the shell: dash would stay between the
 * harness and the hook, which then could not tell when the harness is gone.
 */
export function execCommand(host: Pick<Surroundings, "os">, argv: readonly string[]): string {
  return EXEC + shellCommand(host, argv);
}

/** A hook as a PowerShell command: without the `&` a quoted path is a string. */
export function powerShellCommand([program = "", ...rest]: readonly string[]): string {
  return [`& ${quoteCmd(program)}`, ...rest].join(" ");
}

/**
 * `t` covers a SIGTERM that arrives before the shell knows the process id.
 * SIGNET_CALLER: the hook's parent is the shell, which says nothing about the harness.
 */
const GUARD = [
  "exec 3<&0 2>/dev/null; export SIGNET_CALLER=$PPID; t=; trap 't=1; kill $p' TERM; ",
  " <&3 & p=$!; [ $t ] && kill $p; wait $p || exit 0",
] as const;

/**
 * A hook as a POSIX shell command that succeeds in silence if the program is
 * missing, not executable or corrupt: in Gemini CLI every other failure blocks the
 * prompt. The program runs in the background, because a timeout ends only the
 * shell, which then ends the program; `<&3` because dash gives a background
 * command no stdin.
 */
export function guardedCommand(host: Pick<Surroundings, "os">, argv: readonly string[]): string {
  const command = shellCommand(host, argv);
  return host.os === "windows" ? command : GUARD.join(command);
}

const ALWAYS_WELL = "; exit 0";

/** The same for PowerShell: the hook's own exit code is always 0, and that of a missing program does not count. */
export function guardedPowerShellCommand(argv: readonly string[]): string {
  return powerShellCommand(argv) + ALWAYS_WELL;
}

/** The command inside a guard or after `exec`, or the command itself. */
function bareCommand(command: string): string {
  const [start, end] = GUARD;
  if (command.startsWith(start) && command.endsWith(end)) return command.slice(start.length, -end.length);
  if (command.endsWith(ALWAYS_WELL)) return command.slice(0, -ALWAYS_WELL.length);
  return command.startsWith(EXEC) ? command.slice(EXEC.length) : command;
}

/**
 * The words of a shell command, or undefined if it is more than one plain
 * command: what cannot be read for certain is left to the user.
 */
export function splitCommand(text: string): string[] | undefined {
  const command = bareCommand(text);
  const words: string[] = [];
  let word: string | undefined;
  for (let i = 0; i < command.length; i++) {
    const char = command.charAt(i);
    if (char === " " || char === "\t") {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (char === "'") {
      const end = command.indexOf("'", i + 1);
      if (end < 0) return undefined;
      word = (word ?? "") + command.slice(i + 1, end);
      i = end;
    } else if (char === '"') {
      word ??= "";
      for (i++; command.charAt(i) !== '"'; i++) {
        if (i >= command.length) return undefined;
        if (command.charAt(i) === "\\" && /[\\"$`]/.test(command.charAt(i + 1))) i++;
        word += command.charAt(i);
      }
    } else if (";&|<>\n".includes(char)) {
      return undefined;
    } else {
      word = (word ?? "") + char;
    }
  }
  if (word !== undefined) words.push(word);
  return words;
}

/** A program's name without its directory and `.exe`, whichever system wrote the path. */
export function programName(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  return name.replace(/\.exe$/i, "");
}

interface HarnessNames {
  readonly id: string;
  readonly binary: string;
}

function runsOurProgram(harness: HarnessNames, argv: readonly string[]): boolean {
  const name = programName(argv[0] ?? "");
  if (name === harness.binary) return true;
  if (name !== CONNECT_BINARY) return false;
  const flag = argv.findIndex((word) => word === "-H" || word === "--harness");
  return flag > 0 && argv[flag + 1] === harness.id;
}

/** Whether this command line is one of our hooks for this harness, by its exact program and arguments. */
export function isOurHook(harness: HarnessNames, argv: readonly string[] | undefined): boolean {
  return argv !== undefined && runsOurProgram(harness, argv) && argv[1] === "hook" &&
    (isAgentEvent(argv[2]) || EVENT_NAMES.some((event) => event === argv[2]));
}

/** Whether this command line starts our MCP server for this harness. */
export function isOurMcp(harness: HarnessNames, argv: readonly string[] | undefined): boolean {
  return argv !== undefined && runsOurProgram(harness, argv) && argv[1] === "mcp";
}
