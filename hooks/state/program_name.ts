/**
 * What the user calls this program: a connector is often installed without `signet-connect`.
 * Each connector has the commands of the mesh. The default is for tests, which Deno runs.
 */
export function programName(path: string = Deno.execPath()): string {
  // Linux names the file of a program that was replaced while it runs `… (deleted)`.
  const [, name] = /([^/\\]+?)(?:\.exe)?(?: \(deleted\))?$/.exec(path) ?? [];
  return name?.startsWith("signet-") ? name : "signet-connect";
}
