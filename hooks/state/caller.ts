import { isObject } from "../json.ts";
import { HOST, type Surroundings } from "./paths.ts";

/** The harness's process, by which a later process can prove that it is gone. */
export interface Caller {
  readonly pid: number;
  /** The program that the process runs: a process id can be used again. */
  readonly program: string;
  /** The machine and its process table: a home directory can be shared. */
  readonly machine: string;
}

/** A shell that runs a hook ends with the hook, and says nothing about the harness. */
const SHELLS = new Set([
  "sh",
  "ash",
  "bash",
  "busybox",
  "csh",
  "dash",
  "env",
  "fish",
  "ksh",
  "nu",
  "pwsh",
  "tcsh",
  "zsh",
]);

/**
 * The process that runs this hook, or the one that SIGNET_CALLER names if a shell
 * is in between. Undefined where it cannot be known: Linux alone shows a
 * process's program in a link. (Opening a file in /proc would need every permission.)
 */
export function findCaller(parent = Deno.ppid, host: Surroundings = HOST): Caller | undefined {
  if (host.os !== "linux") return undefined;
  try {
    let pid = parent;
    let program = programOf(pid);
    if (SHELLS.has(program.slice(program.lastIndexOf("/") + 1))) {
      pid = Number(host.env("SIGNET_CALLER"));
      if (!Number.isInteger(pid) || pid <= 1) return undefined;
      program = programOf(pid);
    }
    return { pid, program, machine: thisMachine() };
  } catch {
    return undefined;
  }
}

/** A process that runs now, by its id; undefined if it does not, or where that cannot be known. */
export function callerOf(pid: number): Caller | undefined {
  try {
    return { pid, program: programOf(pid), machine: thisMachine() };
  } catch {
    return undefined;
  }
}

/** Whether the process is certainly gone; false where that cannot be known. */
export function isGone({ pid, program, machine }: Caller): boolean {
  try {
    if (machine !== thisMachine()) return false;
  } catch {
    return false;
  }
  try {
    return programOf(pid) !== program;
  } catch (error) {
    // It could be read before, so a process that may not be read is another one.
    return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.PermissionDenied;
  }
}

/** An upgrade of the harness removes the program that a process runs. */
function programOf(pid: number): string {
  return Deno.readLinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, "");
}

function thisMachine(): string {
  return `${Deno.hostname()} ${Deno.readLinkSync("/proc/self/ns/pid")}`;
}

export function parseCaller(value: unknown): Caller | undefined {
  if (!isObject(value)) return undefined;
  const { pid, program, machine } = value;
  return typeof pid === "number" && typeof program === "string" && typeof machine === "string"
    ? { pid, program, machine }
    : undefined;
}
