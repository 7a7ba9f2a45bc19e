const ROOT = new URL("../", import.meta.url);
/** Large enough that few modules start, and small enough that none of them takes long. */
const GROUP_SIZE = { long: 8, short: 30 };
/** What such a test leaves running would count as a leak of the test that comes next. */
const LEAVES_THINGS_RUNNING = /sanitize(?:Ops|Resources|Exit): false|LEAKS_A_TIMER/;

/** Tests next to the code that take as long as those of whole programs. */
const LONG = new RegExp(
  "/(?:agents_bridge|apply|bundle|check|conformance|contention|crash|detach|fuzz|inbox|large|linear_time|load|locks|" +
    "main|pieces|plugin|properties|reading|sandbox|sections|watch)_test\\.ts$",
);

/**
 * Writes modules that import every test outside of the ignored folders to `dir`, and returns
 * their paths. Each module that runs costs a new isolate, which loads and compiles the code under
 * test again: for hundreds of small files that takes longer than their tests. So tests run in groups.
 */
export function testModules(dir: string, ignored: readonly string[]): string[] {
  const files = [...testFiles("")].sort().filter((file) =>
    !ignored.some((folder) => file.startsWith(`${folder}/`))
  );
  const kinds = Map.groupBy(files, (file) => {
    if (LEAVES_THINGS_RUNNING.test(Deno.readTextFileSync(new URL(file, ROOT)))) return "alone";
    return file.startsWith("tests/") || LONG.test(file) ? "long" : "short";
  });
  // The long tests come first, so that no core is idle at the end.
  const modules = new Map([
    ...grouped("long_tests", kinds.get("long") ?? [], GROUP_SIZE.long),
    ...grouped("alone", kinds.get("alone") ?? [], 1),
    ...grouped("short_tests", kinds.get("short") ?? [], GROUP_SIZE.short),
  ]);
  for (const [name, imported] of modules) {
    Deno.writeTextFileSync(
      `${dir}/${name}`,
      imported.map((file) => `import "${new URL(file, ROOT)}";\n`).join(""),
    );
  }
  return [...modules.keys()].map((name) => `${dir}/${name}`);
}

/** Neighbours go to different groups: the tests in one folder take about as long as each other. */
function grouped(name: string, files: readonly string[], size: number): [string, string[]][] {
  const count = Math.ceil(files.length / size);
  return Array.from(
    { length: count },
    (_, at) => [`${name}_${at}.ts`, files.filter((_, index) => index % count === at)],
  );
}

function* testFiles(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(new URL(folder, ROOT))) {
    if (isDirectory && !/^(?:\.|(?:dist|node_modules)$)/.test(name)) yield* testFiles(`${folder}${name}/`);
    else if (name.endsWith("_test.ts")) yield `${folder}${name}`;
  }
}
