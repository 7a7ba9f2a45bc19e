/** Whether a program is on PATH: a test that needs one is ignored where it is missing. */
export function isOnPath(program: string): boolean {
  return (Deno.env.get("PATH") ?? "").split(":").some((dir) => {
    try {
      return dir !== "" && Deno.statSync(`${dir}/${program}`).isFile;
    } catch {
      return false;
    }
  });
}
