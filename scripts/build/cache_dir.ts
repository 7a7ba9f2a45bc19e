/** Where downloads are kept between builds: the user's cache, or the tree's own where there is no home. */
export function cacheDir(
  env: (name: string) => string | undefined = (name) => Deno.env.get(name),
  os: string = Deno.build.os,
  root = ".",
): string {
  const own = "signet-connectors";
  const xdg = env("XDG_CACHE_HOME");
  if (xdg) return `${xdg}/${own}`;
  const local = os === "windows" ? env("LOCALAPPDATA") : undefined;
  if (local) return `${local}/${own}`;
  const home = env("HOME");
  if (!home) return `${root}/.cache/${own}`;
  return os === "darwin" ? `${home}/Library/Caches/${own}` : `${home}/.cache/${own}`;
}
