import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { treeOf } from "../testing/tree_of.ts";
import { cacheVersion, programVersion } from "./program_version.ts";
import { writeProgram } from "../testing/write_program.ts";

const CODEX = { id: "codex", programs: ["codex"] };

/** A home with a directory of programs, removed afterwards. */
async function inHome(body: (home: string, host: Host) => Promise<void>): Promise<void> {
  const home = await Deno.makeTempDir({ prefix: "signet-" });
  const env: Record<string, string> = { HOME: home, PATH: join(home, "bin") };
  await Deno.mkdir(join(home, "bin"));
  try {
    await body(home, { os: "linux", env: (name) => env[name] });
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}
interface Host {
  readonly os: "linux";
  env(name: string): string | undefined;
}

const script = (path: string, text: string) => writeProgram(path, `#!/bin/sh\n${text}\n`);

Deno.test("programVersion() starts a program in a home of its own, and leaves nothing in the user's", async () => {
  await inHome(async (home, host) => {
    await script(
      join(home, "bin", "codex"),
      'mkdir -p "$HOME/.codex" "$CODEX_HOME-x" && echo "$HOME" > "$HOME/.codex/x" && echo codex-cli 0.140.0',
    );
    const before = await treeOf(home);
    assertEquals((await programVersion(CODEX, host))?.version, "0.140.0");
    assertEquals(await treeOf(home), before);
  });
});

Deno.test("programVersion() reads the npm package of a program, and does not start it", async () => {
  await inHome(async (home, host) => {
    const pkg = join(home, "lib", "node_modules", "@openai", "codex");
    await Deno.mkdir(join(pkg, "bin"), { recursive: true });
    await script(join(pkg, "bin", "codex.js"), `touch '${home}/started'; echo 9.9.9`);
    await Deno.symlink(join(pkg, "bin", "codex.js"), join(home, "bin", "codex"));
    const manifest = { name: "@openai/codex", version: "0.166.0", bin: { codex: "bin/codex.js" } };
    await Deno.writeTextFile(join(pkg, "package.json"), JSON.stringify(manifest));
    assertEquals((await programVersion(CODEX, host))?.version, "0.166.0");
    assertEquals(await Deno.stat(`${home}/started`).catch(() => "no"), "no");
    // The package of another program says nothing about this one.
    await Deno.writeTextFile(
      join(pkg, "package.json"),
      JSON.stringify({ name: "tools", version: "1.0.0", bin: { other: "x" } }),
    );
    assertEquals((await programVersion(CODEX, host))?.version, "9.9.9");
  });
});

Deno.test("programVersion() uses the cached version of a binary until the file changes, and of a wrapper never", async () => {
  await inHome(async (home, host) => {
    const program = join(home, "bin", "codex");
    const dir = join(home, ".local", "state", "signet", "codex");
    await Deno.mkdir(dir, { recursive: true });
    for (const [padding, expected] of [[2_000_000, "0.1.0"], [0, "0.140.0"]] as const) {
      await script(program, `echo codex-cli 0.140.0\nexit\n${"#".repeat(padding)}`);
      const found = await programVersion(CODEX, host);
      assertEquals(found?.version, "0.140.0");
      if (found) cacheVersion(dir, { ...found, version: "0.1.0" });
      assertEquals((await programVersion(CODEX, host))?.version, expected);
      await script(program, `echo codex-cli 0.166.0\nexit\n${"#".repeat(padding + 1)}`);
      assertEquals((await programVersion(CODEX, host))?.version, "0.166.0");
    }
  });
});

Deno.test("programVersion() is undefined without a program, and for one that prints no version", async () => {
  await inHome(async (home, host) => {
    assertEquals(await programVersion(CODEX, host), undefined);
    await script(join(home, "bin", "codex"), "echo hello; exit 1");
    assertEquals(await programVersion(CODEX, host), undefined);
    await script(join(home, "bin", "codex"), "echo 0.73.1 >&2");
    assertEquals((await programVersion(CODEX, host))?.version, "0.73.1");
  });
});
