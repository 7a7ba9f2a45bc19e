import { fromFileUrl } from "@std/path";

export const SCRIPT = fromFileUrl(new URL("../../../scripts/install.sh", import.meta.url));

/** The shells that the script is promised to run under; each must be here. */
export const SHELLS: Record<string, readonly string[]> = {
  dash: ["/bin/dash"],
  busybox: ["/bin/busybox", "sh"],
};

const PROGRAMS = [
  "cat",
  "chmod",
  "curl",
  "dd",
  "dirname",
  "env",
  "getconf",
  "ldd",
  "mkdir",
  "mktemp",
  "mv",
  "rm",
];
const MORE = ["rmdir", "sed", "sha256sum", "sh", "sleep", "uname", "unzip", "xz"];

/** A PATH with only what is named; `fakes` are shell scripts. */
export async function path(
  options: { without?: readonly string[]; plus?: readonly string[]; fakes?: Record<string, string> } = {},
): Promise<string> {
  const dir = await Deno.makeTempDir();
  await Deno.chmod(dir, 0o755);
  const fakes = options.fakes ?? {};
  for (const name of [...PROGRAMS, ...MORE, ...(options.plus ?? [])]) {
    if (options.without?.includes(name) || name in fakes) continue;
    await Deno.symlink(await which(name), `${dir}/${name}`);
  }
  for (const [name, body] of Object.entries(fakes)) {
    await Deno.writeTextFile(`${dir}/${name}`, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  }
  return dir;
}

async function which(name: string): Promise<string> {
  for (const dir of ["/usr/bin", "/bin", "/usr/sbin", "/sbin"]) {
    try {
      await Deno.stat(`${dir}/${name}`);
      return `${dir}/${name}`;
    } catch (err) {
      if (!(err instanceof Deno.errors.NotFound)) throw err;
    }
  }
  throw new Error(`These tests need ${name}: .ci/run installs it.`);
}

/** Every file and directory under a home, for "nothing is left". */
export function contents(dir: string, under = ""): string[] {
  const found: string[] = [];
  for (const entry of Deno.readDirSync(`${dir}/${under}`)) {
    const path = under ? `${under}/${entry.name}` : entry.name;
    found.push(path, ...(entry.isDirectory ? contents(dir, path) : []));
  }
  return found.sort();
}
