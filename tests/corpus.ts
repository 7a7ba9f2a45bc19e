/**
 * `deno task test:corpus DIR`: installs into a copy of every config in a directory, in memory, and
 * uninstalls again. Nothing in the directory is written. Exits 1 if a file does not come back to the byte.
 */
import { roundTrip } from "./worlds/install/corpus.ts";

async function* filesIn(dir: string): AsyncGenerator<string> {
  for await (const entry of Deno.readDir(dir)) {
    const path = `${dir}/${entry.name}`;
    if (entry.isDirectory && entry.name !== ".git" && entry.name !== "node_modules") yield* filesIn(path);
    else if (entry.isFile) yield path;
  }
}

const [dir] = Deno.args;
if (dir === undefined) {
  console.error(
    "Usage: deno task test:corpus DIR\n\nDIR has config files: .yaml .yml .toml .json .jsonc .json5 .md",
  );
  Deno.exit(2);
}
const counts = { same: 0, refused: 0, changed: 0 };
for await (const path of filesIn(dir)) {
  const result = await roundTrip(path, await Deno.readFile(path));
  if (result === undefined) continue;
  counts[result.kind]++;
  if (result.kind === "same") console.log(`✓ ${path} (${result.format})`);
  else console.log(`${result.kind === "refused" ? "-" : "✗"} ${path} (${result.format}): ${result.reason}`);
}
console.log(
  `${counts.same} came back to the byte, ${counts.refused} were refused and not touched, ${counts.changed} changed`,
);
Deno.exit(counts.changed > 0 || counts.same + counts.refused === 0 ? 1 : 0);
