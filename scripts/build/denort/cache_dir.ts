/** The download cache: in the user's cache directory, or in the tree if there is no home. */
export function cacheDir(
  env: (name: string) => string | undefined = (name) => Deno.env.get(name),
  os: string = Deno.build.os,
  root = ".",
): string {
  const name = "signet-connectors";
  const xdg = env("XDG_CACHE_HOME");
  if (xdg) return `${xdg}/${name}`;
  const local = os === "windows" ? env("LOCALAPPDATA") : undefined;
  if (local) return `${local}/${name}`;
  const home = env("HOME");
  if (!home) return `${root}/.cache/${name}`;
  return os === "darwin" ? `${home}/Library/Caches/${name}` : `${home}/.cache/${name}`;
}
