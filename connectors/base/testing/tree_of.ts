/** One entry under a directory. */
export interface Found {
  readonly mode: number;
  /** A file's text, or `-> target` for a link. */
  readonly text?: string;
}

/** Everything under a directory, by relative path: what a test compares before and after. */
export function treeOf(root: string): Promise<Record<string, Found>> {
  const out: Record<string, Found> = {};
  function look(dir: string, prefix: string): void {
    for (const entry of Deno.readDirSync(dir)) {
      const path = `${dir}/${entry.name}`;
      const name = prefix + entry.name;
      const mode = (Deno.lstatSync(path).mode ?? 0) & 0o7777;
      if (entry.isSymlink) out[name] = { mode: 0, text: `-> ${Deno.readLinkSync(path)}` };
      else if (entry.isDirectory) {
        out[name] = { mode };
        look(path, `${name}/`);
      } else out[name] = { mode, text: Deno.readTextFileSync(path) };
    }
  }
  look(root, "");
  return Promise.resolve(out);
}
