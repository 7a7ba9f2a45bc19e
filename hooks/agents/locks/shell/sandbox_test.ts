import { assert } from "@std/assert";
import { DEEP } from "../../../../connectors/base/testing/deep.ts";
import { SEED, SEEDED, seededRandom } from "../../../../connectors/base/testing/seed.ts";
import { HOST } from "../../../state/paths.ts";
import { targetPath } from "../targets/target_path.ts";
import { covers } from "./covers.ts";
import { readShell } from "./read_shell.ts";

const LINES = DEEP ? 6_000 : 150;

/**
 * Random shell lines are run by a real `sh` in a directory of their own, and the
 * files are compared before and after. A file that changed must be one that the
 * reader named, or the reader must have called the line unknown.
 */
Deno.test(`readShell() never calls a changed file untouched, on ${LINES} lines ${SEEDED}`, async () => {
  const random = seededRandom(SEED);
  let changes = 0;
  let known = 0;
  for (let i = 0; i < LINES; i++) {
    const root = Deno.realPathSync(Deno.makeTempDirSync());
    try {
      const cwd = `${root}/w`;
      build(cwd);
      const line = randomLine(random);
      const reading = readShell(line, cwd, { ...HOST, env: (name) => name === "HOME" ? root : undefined });
      const targets = reading.targets.map((target) => ({
        target,
        paths: targetPath(target.path, "/").paths,
      }));
      const before = snapshot(root);
      await execute(line, cwd, root);
      const changed = difference(before, snapshot(root));
      changes += changed.length;
      if (reading.unknown.length === 0) known++;
      else continue;
      for (const file of changed) {
        const named = targets.some(({ target, paths }) => covers(target, paths, file));
        assert(named, `seed ${SEED}, line ${i}: ${JSON.stringify(line)} changed ${file.slice(root.length)}`);
      }
    } finally {
      Deno.removeSync(root, { recursive: true });
    }
  }
  // Otherwise the test would show nothing.
  assert(changes > LINES / 4, `only ${changes} changes`);
  assert(known > LINES / 3, `only ${known} lines were understood`);
});

function build(cwd: string): void {
  for (const dir of ["d/e", "f g"]) Deno.mkdirSync(`${cwd}/${dir}`, { recursive: true });
  for (const file of ["a", "b", "c.ts", "d/a", "d/c.ts", "d/e/a", "f g/h i"]) {
    Deno.writeTextFileSync(`${cwd}/${file}`, `${file}\nline 2\n`);
  }
  Deno.symlinkSync("a", `${cwd}/la`);
  Deno.symlinkSync("d", `${cwd}/ld`);
  Deno.symlinkSync("nowhere", `${cwd}/dangling`);
  Deno.symlinkSync("../a", `${cwd}/d/up`);
}

/** Every path with what is there, links not followed. */
function snapshot(root: string): Map<string, string> {
  const seen = new Map<string, string>();
  function walk(dir: string): void {
    for (const { name, isDirectory, isSymlink } of Deno.readDirSync(dir)) {
      const path = `${dir}/${name}`;
      if (isSymlink) seen.set(path, `link ${Deno.readLinkSync(path)}`);
      else if (isDirectory) {
        seen.set(path, "directory");
        walk(path);
      } else {
        const { mode, mtime } = Deno.statSync(path);
        seen.set(path, `${mode} ${mtime?.getTime()} ${textOf(path)}`);
      }
    }
  }
  walk(root);
  return seen;
}

function textOf(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "?";
  }
}

function difference(before: Map<string, string>, after: Map<string, string>): string[] {
  const changed = [...after].filter(([path, state]) => before.get(path) !== state).map(([path]) => path);
  return [...changed, ...[...before.keys()].filter((path) => !after.has(path))];
}

async function execute(line: string, cwd: string, home: string): Promise<void> {
  const child = new Deno.Command("sh", {
    args: ["-c", line],
    cwd,
    clearEnv: true,
    env: { HOME: home, PATH: "/usr/bin:/bin", LC_ALL: "C" },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const timer = setTimeout(() => child.kill("SIGKILL"), 10_000);
  await child.status;
  clearTimeout(timer);
}

type Random = () => number;

const PATHS = [
  "a",
  "b",
  "c.ts",
  "d/a",
  "d/c.ts",
  "d/e/a",
  "'f g/h i'",
  "new",
  "d/new",
  "d/e",
  "d",
  "la",
  "ld/a",
  "ld",
  "dangling",
  "d/up",
  "./a",
  "d/../b",
  "ld/../a",
  "~/home-file",
  "$HOME/h2",
  "$PWD/a",
  '"d/a"',
  "d//a",
  "*.ts",
  "d/*",
  "?",
  "[ab]",
  "d/e/..",
  "x y",
  "$v",
  "{a,b}",
  "-f",
];
const COMMANDS = [
  "echo hi > P",
  "echo hi >> P",
  "echo hi >| P",
  "cat P > P",
  "cat P",
  "ls P",
  ": > P",
  "echo x | tee P",
  "echo x | tee -a P P > /dev/null",
  "sed -i s/line/LINE/ P",
  "sed -i.bak s/line/LINE/ P",
  "sed -n 1p P",
  "sed 's/a/b/;s/c/d/' P > P",
  "sed -n 'w P' P",
  "cp P P",
  "cp -r P P",
  "cp -a P P",
  "cp -P P P",
  "cp P P P",
  "cp -t P P",
  "mv P P",
  "mv -f P P",
  "mv -t P P",
  "mv P P P",
  "rm P",
  "rm -f P P",
  "rm -r P",
  "rm -rf P",
  "rmdir P",
  "mkdir P",
  "mkdir -p P/q/r",
  "touch P",
  "touch -c P P",
  "truncate -s 3 P",
  "ln -s P P",
  "ln -sf P P",
  "ln P P",
  "ln -f P P",
  "ln -s P",
  "ln -sfn P P",
  "install P P",
  "install -D P P/z",
  "install -d P/q",
  "chmod 600 P",
  "chmod -w P",
  "chmod -R u+x P",
  "dd if=P of=P",
  "sort -o P P",
  "sort P",
  "uniq P P",
  "awk '{print}' P",
  "find P -name a",
  "find P -name a -delete",
  "test -f P",
  "unlink P",
  "sh -c 'echo x > P'",
  "echo $(rm P)",
  "echo `rm P`",
  'echo "$(echo hi > P)"',
  "env A=1 rm P",
  "command rm P",
  "eval rm P",
  "v=P",
  "cat <<X > P\nhi\nX",
  "cat > P <<'X'\n$(rm b)\nX",
  "cat <<X\n$(rm P)\nX",
  "exec 3> P",
  "echo hi 1> P 2>&1",
  "echo hi >&2",
  "cd P",
  "cd",
  "cd ..",
  "cd P && echo x > P",
  "(cd P; rm P)",
  "{ cd P; echo x; } > P",
  "if test -f P; then rm P; else touch P; fi",
  "for i in P P; do echo x > P; done",
  "for i in 1 2; do cd P; done",
  "while false; do rm P; done",
  "case P in *) rm P;; esac",
  "g() { rm P; }; g",
  "! rm P",
  "# rm P",
  "set -f",
  "printf x > P",
  "xargs rm < P",
];
const CONNECTORS = ["; ", " && ", " || ", " | ", "\n", " & wait; "];

function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("an empty list");
  return item;
}

function randomLine(random: Random): string {
  const count = 1 + Math.floor(random() * random() * 4);
  let line = "";
  for (let i = 0; i < count; i++) {
    // A comment or a here-document needs the rest of its line.
    const separator = /#[^\n]*$|<<.*\n/.test(line) ? "\n" : pick(random, CONNECTORS);
    line += (i === 0 ? "" : separator) + pick(random, COMMANDS).replace(/P/g, () => pick(random, PATHS));
  }
  return random() < 0.1 ? `(${line}\n)` : line;
}
