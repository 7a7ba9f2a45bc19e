import { assert, assertEquals } from "@std/assert";
import { targetPath } from "../targets/target_path.ts";
import { HARMLESS_LINES, HIDDEN_WRITES, PLAIN_WRITES } from "../testing_lines.ts";
import { readShell, type ShellReading } from "./read_shell.ts";
import { covers } from "./covers.ts";

async function scratch(): Promise<string> {
  const cwd = await Deno.realPath(await Deno.makeTempDir());
  for (const dir of ["src/deep", "tmp", ".git"]) await Deno.mkdir(`${cwd}/${dir}`, { recursive: true });
  for (const file of ["src/locked.ts", "src/free.ts", "src/deep/x.ts", "other.txt"]) {
    await Deno.writeTextFile(`${cwd}/${file}`, "text\n");
  }
  return cwd;
}

function writes(reading: ShellReading, path: string): boolean {
  return reading.targets.some((target) => covers(target, targetPath(target.path, "/").paths, path));
}

Deno.test("readShell() sees plain writes", async () => {
  const cwd = await scratch();
  assert(PLAIN_WRITES.length >= 40);
  for (const line of PLAIN_WRITES) assert(writes(readShell(line, cwd), `${cwd}/src/locked.ts`), line);
});

Deno.test("readShell() knows that harmless lines are harmless", async () => {
  const cwd = await scratch();
  assert(HARMLESS_LINES.length >= 40);
  for (const line of HARMLESS_LINES) {
    const reading = readShell(line, cwd);
    assertEquals(reading.unknown, [], line);
    assert(!writes(reading, `${cwd}/src/locked.ts`), line);
  }
});

Deno.test("readShell() calls hidden writes unknown, never harmless", async () => {
  const cwd = await scratch();
  assert(HIDDEN_WRITES.length >= 20);
  for (const line of HIDDEN_WRITES) {
    const reading = readShell(line, cwd);
    assert(reading.unknown.length > 0, line);
    assert(!writes(reading, `${cwd}/src/locked.ts`) || line.startsWith("eval"), `${line} is not hidden`);
  }
});

Deno.test("readShell() calls a write unknown after a link on its way may be gone", async () => {
  const cwd = await scratch();
  await Deno.symlink("other.txt", `${cwd}/link`);
  for (const remove of ["rm -f link", "unlink link", "cd src; rm ../link", "rm other.txt link"]) {
    assert(readShell(`${remove}; mkdir -p ${cwd}/link/a`, cwd).unknown.length > 0, remove);
  }
  assertEquals(readShell("rm link", cwd).unknown, []);
  assertEquals(readShell("rm other.txt; mkdir -p other.txt/a", cwd).unknown, []);
});

Deno.test("readShell() does not leave the directory with a list in the background", async () => {
  const cwd = await scratch();
  for (const list of ["cd src && ls", "cd src && ls | cat", "cd src && ls || true", "cd src"]) {
    const reading = readShell(`${list} & rm other.txt`, cwd);
    assert(reading.unknown.length > 0 || writes(reading, `${cwd}/other.txt`), list);
  }
});

Deno.test("readShell() ends on broken and endless text", () => {
  const broken = [
    "echo 'open",
    'echo "open $(rm x',
    "echo `open",
    "cat <<EOF\nno end",
    "((((((((((",
    "))))",
    "$(".repeat(5_000),
    "(".repeat(50_000),
    "`".repeat(9_999),
    "{".repeat(50_000),
    "a".repeat(300_000),
    "[".repeat(20_000),
    "\\",
    "\0",
    "<(rm x)",
    "x=(a b)",
    "case a in a) rm x;; esac",
    "f() { rm x; }; f",
    "echo hi >! x",
    "echo ${x:-$(rm y)}",
  ];
  for (const text of broken) {
    assert(readShell(text, "/home/u").unknown.length > 0, text.slice(0, 40));
  }
  for (const empty of ["", " ", "\n\n", "#x", ";"]) {
    assertEquals(readShell(empty, "/home/u"), { targets: [], unknown: [] }, empty);
  }
});

Deno.test("readShell() stays bounded on long and hostile lines", () => {
  const lines: [string, (n: number) => string][] = [
    ["directories", (n) => `${"cd a && ".repeat(n)}echo x > y`],
    ["wrappers", (n) => `${"env ".repeat(n)}rm x`],
    ["a deep path", (n) => `mkdir -p ${"a/".repeat(n)}`],
    ["stars", (n) => `rm ${"*a".repeat(n)}`],
    ["commands", (n) => "ls; ".repeat(n)],
    ["files", (n) => `rm ${Array.from({ length: n }, (_, i) => i).join(" ")}`],
    ["shells", (n) => `${"sh -c '".repeat(1)}${"ls;".repeat(n)}'`],
  ];
  for (const [name, line] of lines) {
    const { targets, unknown } = readShell(line(20_000), "/home/u");
    assert(unknown.length > 0, name);
    assert(targets.length <= 1_000, name);
  }
  // A star for each letter would take an expression longer than the universe exists.
  const { targets } = readShell(`rm ${"*a".repeat(40)}b`, "/home/u");
  const [target] = targets;
  assert(target !== undefined && covers(target, [target.path], `/home/u/${"a".repeat(200)}`));
  const [many] = readShell(`rm ${"[a]".repeat(60)}`, "/home/u").targets;
  assert(many !== undefined && covers(many, [many.path], `/home/u/${"[a]".repeat(40)}`));
  // Where a bracket finds nothing, the shell takes it as a name.
  const globs: [glob: string, file: string, matches: boolean][] = [
    ["*.ts", "a.ts", true],
    ["*.ts", "a.js", false],
    ["a?c", "abc", true],
    ["[ab]c", "bc", true],
    ["[ab]c", "[ab]c", true],
    ["[ab]c", "abc", false],
  ];
  for (const [glob, file, matches] of globs) {
    const [single] = readShell(`rm ${glob}`, "/home/u").targets;
    assertEquals(single !== undefined && covers(single, [single.path], `/home/u/${file}`), matches, glob);
  }
});
