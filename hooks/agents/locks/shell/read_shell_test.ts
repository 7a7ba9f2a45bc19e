import { assert, assertEquals } from "@std/assert";
import { targetPath } from "../target_path.ts";
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
