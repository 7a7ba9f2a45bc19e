import { isWithin } from "../targets/target_path.ts";
import type { ShellTarget } from "./read_shell.ts";

/** Whether a target, whose path has these real forms, includes a file. */
export function covers(target: ShellTarget, paths: readonly string[], file: string): boolean {
  return paths.some((path) => {
    if (target.pattern === undefined) return path === file || (target.tree && isWithin(file, path));
    const prefix = path === "/" ? "/" : `${path}/`;
    if (!file.startsWith(prefix)) return false;
    return new RegExp(`^(?:${target.pattern})(?:$|/)`, "s").test(file.slice(prefix.length));
  });
}
