import { assert, assertEquals } from "@std/assert";
import { HARNESSES } from "../connectors/registry.ts";

/** One import in a file: its specifier, or the path of the file in this repository. */
interface Import {
  readonly to: string;
  /** `static` and `dynamic` imports run code; a `type` import is erased, and `text` embeds a file. */
  readonly kind: "static" | "dynamic" | "type" | "text";
}

const ROOT = new URL("../", import.meta.url);
const STATEMENT =
  /^(?:import|export)\s+(type\s+)?(?:[^;"'`]*?\bfrom\s*)?"([^"]+)"(\s+with\s*\{\s*type:\s*"(?:text|bytes)")?/gm;
const CALL = /\bimport\(\s*"([^"]+)"/g;

/** The imports in a source text, with relative specifiers resolved against its path. */
function importsOf(path: string, source: string): Import[] {
  const resolve = (specifier: string) =>
    /^\.{1,2}\//.test(specifier) ? new URL(specifier, `file:///${path}`).pathname.slice(1) : specifier;
  const code = source.replace(/^\s*(?:\/\/|\/?\*).*$/gm, "");
  return [
    ...code.matchAll(STATEMENT).map(([, type, to = "", text]): Import => {
      return { to: resolve(to), kind: text ? "text" : type ? "type" : "static" };
    }),
    ...code.matchAll(CALL).map(([, to = ""]): Import => ({ to: resolve(to), kind: "dynamic" })),
  ];
}

/** Every source file under a folder, by its path in the repository. */
function* sources(folder: string): Generator<string> {
  for (const entry of Deno.readDirSync(new URL(folder, ROOT))) {
    const path = `${folder}${entry.name}`;
    if (entry.isDirectory) yield* sources(`${path}/`);
    else if (/\.(?:ts|js|mjs)$/.test(path) && !path.endsWith(".d.ts")) yield path;
  }
}

const GRAPH: ReadonlyMap<string, readonly Import[]> = new Map(
  ["mod.ts", ...["hooks/", "connectors/", "mock_daemon/"].flatMap((folder) => [...sources(folder)])]
    .map((path) => [path, importsOf(path, Deno.readTextFileSync(new URL(path, ROOT)))]),
);

const isTest = (path: string) => path.endsWith("_test.ts");
const isTestCode = (path: string) => isTest(path) || /(?:^|\/)(?:testing|tests)\//.test(path);
const isBare = (to: string) =>
  !GRAPH.has(to) && !/^(?:connectors|hooks|mock_daemon|page|scripts|tests)\//.test(to);
const folders = HARNESSES.map(({ id }) => `connectors/${id.replaceAll("-", "_")}/`);
const under = (...prefixes: string[]) => (path: string) => prefixes.some((each) => path.startsWith(each));

const RULES: [title: string, from: (path: string) => boolean, to: (path: string) => boolean][] = [
  [
    "hooks/ imports nothing from other folders",
    (path) => under("hooks/")(path) && !isTest(path),
    under("connectors/", "mock_daemon/", "scripts/", "tests/", "mod.ts"),
  ],
  [
    "connectors/base imports no harness, no registry and nothing from connect/",
    (path) => under("connectors/base/")(path) && !isTest(path),
    under(...folders, "connectors/connect/", "connectors/registry.ts"),
  ],
  [
    "connectors/base/edit imports nothing outside its folder",
    (path) => under("connectors/base/edit/")(path) && !isTest(path),
    (to) => !isBare(to) && !under("connectors/base/edit/")(to),
  ],
  [
    "a harness imports no registry and nothing from connect/",
    (path) => under(...folders)(path) && !isTest(path),
    under("connectors/connect/", "connectors/registry.ts"),
  ],
  [
    "connectors/base/page/ imports nothing from other folders, because pages of several programs share it",
    (path) => under("connectors/base/page/")(path) && !isTest(path),
    (to) => !isBare(to) && !under("connectors/base/page/")(to),
  ],
  ["product code imports no test code", (path) => !isTestCode(path), isTestCode],
  ["connectors import no mock daemon and no script", (path) => {
    return under("connectors/")(path) && !isTestCode(path);
  }, under("mock_daemon/", "scripts/")],
];

for (const [title, from, to] of RULES) {
  Deno.test(`import graph: ${title}`, () => {
    const files = [...GRAPH].filter(([path]) => from(path));
    assert(files.length > 0, "the rule matches no file");
    const wrong = files.flatMap(([path, imports]) =>
      imports.filter((each) => to(each.to)).map((each) => `${path} -> ${each.to}`)
    );
    assertEquals(wrong, []);
  });
}

Deno.test("import graph: a harness imports no other harness", () => {
  const folderOf = (path: string) => folders.find((folder) => path.startsWith(folder));
  const wrong = [...GRAPH].flatMap(([path, imports]) =>
    imports.filter(({ to }) => folderOf(path) && folderOf(to) && folderOf(path) !== folderOf(to))
      .map(({ to }) => `${path} -> ${to}`)
  );
  assertEquals(wrong, []);
});

Deno.test("import graph: every relative import names an existing file", () => {
  const wrong = [...GRAPH].flatMap(([path, imports]) =>
    imports.filter(({ to }) => !isBare(to) && !exists(to)).map(({ to }) => `${path} -> ${to}`)
  );
  assertEquals(wrong, []);
});

// Type imports are erased, so a type may refer back to its user.
Deno.test("import graph: static imports have no cycle", () => {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]) => {
    if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(" -> "));
    if (done.has(path) || trail.includes(path)) return;
    for (const { to } of imported(path, "static")) visit(to, [...trail, path]);
    done.add(path);
  };
  for (const path of GRAPH.keys()) visit(path, []);
  assertEquals(cycles, []);
});

const ENTRIES = ["hooks/main.ts", "connectors/base/entry.ts", ...folders.map((dir) => `${dir}harness.ts`)];
for (const entry of ENTRIES) {
  Deno.test(`import graph: what ${entry} loads contains no library`, () => {
    const loaded = new Set([entry]);
    const libraries: string[] = [];
    for (const path of loaded) {
      // A hook loads the rest of its code on demand, and that code too must be without a library.
      const kinds = path.startsWith("hooks/") ? ["static", "dynamic"] as const : ["static"] as const;
      for (const { to } of imported(path, ...kinds)) {
        if (isBare(to)) libraries.push(`${path} -> ${to}`);
        else loaded.add(to);
      }
    }
    assert(loaded.size > 1, `${entry} has no imports`);
    assertEquals(libraries, []);
  });
}

Deno.test("importsOf() finds every form of import, and none in a comment", () => {
  const source = `import a from "./a.ts";
import {
  b,
} from "../b.ts";
import type { C } from "@std/c";
import text from "./d.js" with { type: "text" };
export { e } from "./e.ts";
import "./f.ts";
const g = () => import("./g.ts");
// import h from "./h.ts";
`;
  assertEquals(importsOf("x/y/z.ts", source).map(({ to, kind }) => `${kind} ${to}`), [
    "static x/y/a.ts",
    "static x/b.ts",
    "type @std/c",
    "text x/y/d.js",
    "static x/y/e.ts",
    "static x/y/f.ts",
    "dynamic x/y/g.ts",
  ]);
});

function imported(path: string, ...kinds: Import["kind"][]): readonly Import[] {
  return (GRAPH.get(path) ?? []).filter(({ kind }) => kinds.includes(kind));
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(new URL(path, ROOT)).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
