import { isOnPath } from "./on_path.ts";

const IS_ROOT = Deno.build.os !== "windows" && Deno.uid() === 0;

/** What comes before a command so that file modes count: they do not stop root, who becomes `nobody`. */
export const UNPRIVILEGED: readonly string[] = IS_ROOT
  ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
  : [];

/** Whether an unprivileged process can read these files: `nobody` cannot read a checkout in root's home. */
export function canReadUnprivileged(...files: string[]): boolean {
  if (Deno.build.os === "windows" || (IS_ROOT && !isOnPath("setpriv"))) return false;
  const [program = "", ...args] = [...UNPRIVILEGED, "cat", "/dev/null", ...files];
  return new Deno.Command(program, { args, stdout: "null", stderr: "null" }).outputSync().success;
}
