import { fromFileUrl } from "@std/path";
import type { Entry } from "../build/entries.ts";
import type { Target } from "../build/targets.ts";
import { linkOrCopy } from "./artifacts.ts";
import { launcherPackage, platformPackage, type Staged } from "./npm_packages.ts";

const LAUNCHER = fromFileUrl(new URL("./launcher.cjs", import.meta.url));

/** Writes the npm packages of one entry under `dir`; returns their folders. */
export async function stageNpm(
  entry: Entry,
  binaries: readonly { readonly target: Target; readonly path: string }[],
  version: string,
  dir: string,
): Promise<string[]> {
  const launcher = await Deno.readTextFile(LAUNCHER);
  const main = launcherPackage(entry, binaries.map((b) => b.target), version, launcher);
  await write(main, dir);
  const folders = [main.dir];
  for (const { target, path } of binaries) {
    const staged = platformPackage(entry, target, version);
    await write(staged, dir);
    await Deno.mkdir(`${dir}/${staged.dir}/bin`, { recursive: true });
    await linkOrCopy(path, `${dir}/${staged.dir}/${staged.binary}`);
    folders.push(staged.dir);
  }
  return folders;
}

async function write(staged: Staged, dir: string): Promise<void> {
  for (const [name, text] of Object.entries(staged.files)) {
    const path = `${dir}/${staged.dir}/${name}`;
    await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(path, text, { mode: staged.executables.includes(name) ? 0o755 : 0o644 });
  }
}
