/** One entry under a directory. */
export interface Found {
  readonly mode: number;
  /** A file's text, or `-> target` for a link. */
  readonly text?: string;
}

/** Everything under a directory, by relative path: what a test compares before and after. */
export async function treeOf(root: string): Promise<Record<string, Found>> {
  const out: Record<string, Found> = {};
  async function look(dir: string, prefix: string): Promise<void> {
    for (const entry of await Array.fromAsync(Deno.readDir(dir))) {
      const path = `${dir}/${entry.name}`;
      const name = prefix + entry.name;
      const mode = ((await Deno.lstat(path)).mode ?? 0) & 0o7777;
      if (entry.isSymlink) out[name] = { mode: 0, text: `-> ${await Deno.readLink(path)}` };
      else if (entry.isDirectory) {
        out[name] = { mode };
        await look(path, `${name}/`);
      } else out[name] = { mode, text: await Deno.readTextFile(path) };
    }
  }
  await look(root, "");
  return out;
}
