import { assertEquals } from "@std/assert";
import { findProgram, versionIn, versionOf } from "./find_program.ts";

Deno.test("versionIn() finds the version in what harnesses print", () => {
  const cases: [string, string | undefined][] = [
    ["2.1.0 (Claude Code)\n", "2.1.0"],
    ["codex-cli 0.46.0\n", "0.46.0"],
    ["v1.2\n", "1.2"],
    ["OpenClaw 2026.1.29-beta.1 (abc)\n", "2026.1.29-beta.1"],
    ["pyagent/0.3.1 linux", "0.3.1"],
    ["usage: forge [options]\n", undefined],
    ["", undefined],
  ];
  for (const [text, version] of cases) assertEquals(versionIn(text), version, text);
});

async function withPrograms(
  programs: Record<string, string>,
  body: (dir: string) => Promise<void>,
): Promise<void> {
  const dir = await Deno.makeTempDir({ prefix: "signet-" });
  try {
    for (const [name, text] of Object.entries(programs)) {
      await Deno.writeTextFile(`${dir}/${name}`, text, { mode: 0o755 });
    }
    await body(dir);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

Deno.test("findProgram() returns the first executable, and extra paths last", async () => {
  await withPrograms({ "pi": "#!/bin/sh\n", "notes": "text" }, async (dir) => {
    await Deno.chmod(`${dir}/notes`, 0o644);
    await Deno.mkdir(`${dir}/codex`);
    const host = {
      os: "linux" as const,
      env: (name: string) => name === "PATH" ? `/nowhere::${dir}` : undefined,
    };
    assertEquals(findProgram(["none", "pi"], host), `${dir}/pi`);
    assertEquals(findProgram(["notes"], host), undefined);
    assertEquals(findProgram(["codex"], host), undefined);
    assertEquals(findProgram(["none"], host, [`${dir}/pi`]), `${dir}/pi`);
  });
});

Deno.test("findProgram() tries the extensions in PATHEXT on Windows", async () => {
  await withPrograms({ "x\\claude.CMD": "" }, (dir) => {
    const env: Record<string, string> = { PATH: `C:\\none;${dir}/x`, PATHEXT: ".EXE;.CMD" };
    const host = { os: "windows" as const, env: (name: string) => env[name] };
    assertEquals(findProgram(["claude"], host), `${dir}/x\\claude.CMD`);
    return Promise.resolve();
  });
});

Deno.test("versionOf() is undefined for a program that fails, hangs or cannot run", async () => {
  await withPrograms({
    good: "#!/bin/sh\necho good 1.2.3\n",
    offline: '#!/bin/sh\n[ "$HTTPS_PROXY" = http://127.0.0.1:9 ] && echo 1.0.0\n',
    hanging: "#!/bin/sh\necho 1.0.0\nexec sleep 20\n",
    silent: "#!/bin/sh\nexit 3\n",
    broken: "\x7fELF",
  }, async (dir) => {
    assertEquals(await versionOf(`${dir}/good`), "1.2.3");
    assertEquals(await versionOf(`${dir}/offline`), "1.0.0");
    assertEquals(await versionOf(`${dir}/hanging`, 1_000), "1.0.0");
    assertEquals(await versionOf(`${dir}/silent`), undefined);
    assertEquals(await versionOf(`${dir}/broken`), undefined);
    assertEquals(await versionOf(`${dir}/absent`), undefined);
  });
});
