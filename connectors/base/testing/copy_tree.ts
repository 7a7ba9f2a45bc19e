/** Copies a directory to a path where there is nothing, with links as they are, modes and dates. */
export function copyTree(from: string, to: string): void {
  Deno.mkdirSync(to);
  for (const { name, isSymlink, isDirectory } of Deno.readDirSync(from)) {
    const source = `${from}/${name}`;
    const copy = `${to}/${name}`;
    if (isSymlink) Deno.symlinkSync(Deno.readLinkSync(source), copy);
    else if (isDirectory) copyTree(source, copy);
    else {
      Deno.copyFileSync(source, copy);
      const { atime, mtime } = Deno.statSync(source);
      Deno.utimeSync(copy, atime ?? 0, mtime ?? 0);
    }
  }
  const { mode, atime, mtime } = Deno.statSync(from);
  Deno.chmodSync(to, (mode ?? 0o755) & 0o7777);
  Deno.utimeSync(to, atime ?? 0, mtime ?? 0);
}
