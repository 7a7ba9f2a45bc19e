import { assertEquals } from "@std/assert";
import { HANG_MS, until } from "../testing/until.ts";
import { findProgram, versionIn, versionOf } from "./find_program.ts";
import { writeProgram } from "../testing/write_program.ts";

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
      await writeProgram(`${dir}/${name}`, text);
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

Deno.test("versionOf() is undefined for a program that fails or cannot run", async () => {
  await withPrograms({
    good: "#!/bin/sh\necho good 1.2.3\n",
    offline: '#!/bin/sh\n[ "$HTTPS_PROXY" = http://127.0.0.1:9 ] && echo 1.0.0\n',
    silent: "#!/bin/sh\nexit 3\n",
    broken: "\x7fELF",
  }, async (dir) => {
    const { signal } = new AbortController();
    const version = (program: string) => versionOf(`${dir}/${program}`, signal);
    assertEquals(await version("good"), "1.2.3");
    assertEquals(await version("offline"), "1.0.0");
    assertEquals(await version("silent"), undefined);
    assertEquals(await version("broken"), undefined);
    assertEquals(await version("absent"), undefined);
  });
});

Deno.test("versionOf() takes what a program printed before it hung", async () => {
  const hanging = '#!/bin/sh\necho 1.0.0\ntouch "$0.printed"\nexec sleep 600\n';
  await withPrograms({ hanging }, async (dir) => {
    const timeout = new AbortController();
    const version = versionOf(`${dir}/hanging`, timeout.signal, HANG_MS);
    await until("it has printed", () => Deno.stat(`${dir}/hanging.printed`).then(() => true, () => false));
    timeout.abort();
    assertEquals(await version, "1.0.0");
  });
});

Deno.test({
  name: "versionOf() does not wait for a child that holds the pipe open",
  // The pipe is read until the child closes it, after versionOf() has returned: that is the point.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    // The child ends once its file is removed, with the directory.
    const wrapper = '#!/bin/sh\ntouch "$0.runs"\n(while [ -e "$0.runs" ]; do sleep 1; done) &\nwait\n';
    await withPrograms({ wrapper }, async (dir) => {
      const timeout = new AbortController();
      const version = versionOf(`${dir}/wrapper`, timeout.signal, 1);
      await until("it runs", () => Deno.stat(`${dir}/wrapper.runs`).then(() => true, () => false));
      timeout.abort();
      assertEquals(await version, undefined);
    });
  },
});
