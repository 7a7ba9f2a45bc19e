/** The files of a bundle: name to text. */
export type Bundle = ReadonlyMap<string, string>;

const HASHED = /^(.+)-([A-Z0-9]{8})\.js$/;

/**
 * The same bundle for the same sources, wherever they and the npm cache lie. The
 * bundler writes each module's path, relative to where it ran, into comments and
 * CommonJS wrappers, and hashes that text into the names of the chunks.
 *
 * @param npmCache the folder of the npm cache as the bundler writes it, with what
 * stands between it and the package's name (the registry) left open
 */
export function settleBundle(files: Bundle, npmCache: string): Map<string, string> {
  const cached = new RegExp(`${RegExp.escape(npmCache)}/[^/\\s"']+/`, "g");
  const masked = [...files].map(([name, text]) => {
    const stem = HASHED.exec(name)?.[1];
    const settled = text.replace(cached, "npm/");
    return { name, stem: stem ?? name, chunk: stem !== undefined, settled, plain: unhashed(settled, files) };
  });
  masked.sort((a, b) => order(a.stem, b.stem) || order(a.plain, b.plain));

  const renamed = new Map<string, string>();
  const seen = new Map<string, number>();
  for (const file of masked) {
    const n = (seen.get(file.stem) ?? 0) + 1;
    seen.set(file.stem, n);
    renamed.set(file.name, file.chunk ? `${file.stem}_${n}.js` : file.name);
  }
  const out = new Map<string, string>();
  for (const file of masked) {
    let text = file.settled;
    for (const [from, to] of renamed) text = text.replaceAll(from, to);
    refuseForeignPaths(file.name, text);
    out.set(renamed.get(file.name) ?? file.name, text);
  }
  return out;
}

/** The text with every chunk's name cut to its stem, so that texts compare without hashes. */
function unhashed(text: string, files: Bundle): string {
  for (const name of files.keys()) {
    const stem = HASHED.exec(name)?.[1];
    if (stem) text = text.replaceAll(name, stem);
  }
  return text;
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function refuseForeignPaths(name: string, text: string): void {
  const found = /^\/\/ (?:\.\.\/|\/|[A-Za-z]:\\).*$/m.exec(text);
  if (found) {
    throw new Error(
      `The bundle's ${name} names a file outside the tree (${found[0].slice(3)}): it is not reproducible.`,
    );
  }
}
