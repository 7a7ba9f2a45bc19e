/** The files that a patch in the format of `apply_patch` adds, changes, deletes or moves; undefined if it is none. */
export function patchTargets(patch: string): string[] | undefined {
  const paths: string[] = [];
  let isPatch = false;
  for (const line of patch.split("\n")) {
    const text = line.trim();
    if (text === "*** Begin Patch") isPatch = true;
    const path = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/.exec(text)?.[1];
    if (path !== undefined) paths.push(path.trim());
  }
  return isPatch || paths.length > 0 ? [...new Set(paths)] : undefined;
}

/** The files that a unified diff names, with and without the first part of their paths. */
export function diffTargets(diff: string): string[] {
  const paths = new Set<string>();
  for (const line of diff.split("\n")) {
    const path = /^(?:---|\+\+\+|rename (?:from|to)) ?([^\t\r]+)/.exec(line)?.[1]?.trim();
    if (path === undefined || path === "/dev/null") continue;
    paths.add(path);
    const slash = path.indexOf("/");
    if (slash >= 0) paths.add(path.slice(slash + 1));
  }
  return [...paths];
}
