/** The files of a bundle: name to text. */
export type Bundle = ReadonlyMap<string, string>;

const HASHED = /^(.+)-([A-Z0-9]{8})\.js$/;

/**
 * Makes a bundle independent of where the sources and the npm cache are. The bundler
 * writes each module's relative path into comments and CommonJS wrappers, and the
 * chunk names contain a hash of that text.
 *
 * @param npmCache the npm cache folder as the bundler writes it, without the registry
 * folder below it
 */
export function normalizeBundle(files: Bundle, npmCache: string): Map<string, string> {
  const cached = new RegExp(`${RegExp.escape(npmCache)}/[^/\\s"']+/`, "g");
  const masked = [...files].map(([name, text]) => {
    const stem = HASHED.exec(name)?.[1];
    const normalized = text.replace(cached, "npm/");
    return {
      name,
      stem: stem ?? name,
      chunk: stem !== undefined,
      normalized,
      plain: unhashed(normalized, files),
    };
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
    let text = file.normalized;
    for (const [from, to] of renamed) text = text.replaceAll(from, to);
    rejectForeignPaths(file.name, text);
    out.set(renamed.get(file.name) ?? file.name, text);
  }
  return out;
}

/** The text with hashes removed from chunk names, so that texts can be compared. */
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

function rejectForeignPaths(name: string, text: string): void {
  const match = /^\/\/ (?:\.\.\/|\/|[A-Za-z]:\\).*$/m.exec(text);
  if (match) {
    throw new Error(
      `The bundle's ${name} names a file outside the tree (${match[0].slice(3)}): it is not reproducible.`,
    );
  }
}
