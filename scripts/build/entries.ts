/** A program that can be built. */
export interface Entry {
  /** The name on the command line: `claude-code`. */
  readonly name: string;
  readonly binary: string;
  /** Relative to the root of the repository. */
  readonly main: string;
  readonly kind: "connector" | "connect" | "daemon";
}

/** Every program in the tree: each folder of `connectors/` with a `main.ts`, and the mock daemon. */
export function listEntries(root: string): Entry[] {
  const entries: Entry[] = [];
  for (const dir of directories(`${root}/connectors`)) {
    const main = `connectors/${dir}/main.ts`;
    if (!isFile(`${root}/${main}`)) continue;
    const name = dir.replaceAll("_", "-");
    entries.push({
      name,
      binary: `signet-${name}`,
      main,
      kind: name === "connect" ? "connect" : "connector",
    });
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const daemon = "mock_daemon/main.ts";
  if (isFile(`${root}/${daemon}`)) {
    entries.push({ name: "mock-daemon", binary: "signet-mock-daemon", main: daemon, kind: "daemon" });
  }
  return entries;
}

/** The entries with these names, or all of them without names. */
export function chooseEntries(entries: readonly Entry[], names: readonly string[]): Entry[] {
  if (names.length === 0) return [...entries];
  return names.map((name) => {
    const entry = entries.find((e) => e.name === name || e.binary === name);
    if (entry) return entry;
    const known = entries.map((e) => e.name).join(", ") || "none";
    throw new Error(`There is no program "${name}": choose from ${known}.`);
  });
}

function directories(path: string): string[] {
  try {
    return [...Deno.readDirSync(path)].filter((e) => e.isDirectory).map((e) => e.name);
  } catch (err) {
    if (err instanceof Deno.errors.NotFound) return [];
    throw err;
  }
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch (err) {
    if (err instanceof Deno.errors.NotFound) return false;
    throw err;
  }
}
