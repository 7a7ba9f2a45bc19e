/** Whether there is anything at a path, be it a link that leads nowhere. */
export function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
