const ROOT = new URL("../", import.meta.url);
/** Large enough that few modules start, and small enough that none of them takes long. */
const GROUP_SIZE = 16;
/** What such a test leaves running would count as a leak of the test that comes next. */
const LEAVES_THINGS_RUNNING = /sanitize(?:Ops|Resources|Exit): false/;

/**
 * Writes modules that import every test outside of the ignored folders to `dir`, and returns
 * their paths. Each module that runs costs a new isolate, which loads the code under test again:
 * for hundreds of small files that takes longer than their tests. So the tests next to the code
 * run in groups.
 */
export function testModules(dir: string, ignored: readonly string[]): string[] {
  const modules = new Map<string, string[]>();
  let grouped = 0;
  for (const file of [...testFiles("")].sort()) {
    if (ignored.some((folder) => file.startsWith(`${folder}/`))) continue;
    const url = new URL(file, ROOT);
    const isAlone = file.startsWith("tests/") || LEAVES_THINGS_RUNNING.test(Deno.readTextFileSync(url));
    const name = isAlone ? file.replaceAll("/", "_") : `unit_tests_${Math.floor(grouped++ / GROUP_SIZE)}.ts`;
    modules.set(name, [...modules.get(name) ?? [], `import "${url}";\n`]);
  }
  for (const [name, imports] of modules) Deno.writeTextFileSync(`${dir}/${name}`, imports.join(""));
  // The long tests come first, so that no core is idle at the end.
  return [...modules.keys()].sort().map((name) => `${dir}/${name}`);
}

function* testFiles(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(new URL(folder, ROOT))) {
    if (isDirectory && !/^(?:\.|(?:dist|node_modules)$)/.test(name)) yield* testFiles(`${folder}${name}/`);
    else if (name.endsWith("_test.ts")) yield `${folder}${name}`;
  }
}
