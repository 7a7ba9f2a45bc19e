import { assertEquals, assertMatch } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { HANG_MS } from "../connectors/base/testing/until.ts";
import { run } from "./build/run.ts";
import { writeProgram } from "../connectors/base/testing/write_program.ts";

const WRAPPER = fromFileUrl(new URL("./deno", import.meta.url));

const RIGHT =
  `[ "$1" = --version ] && { echo "deno 2.7.11 (stable)"; exit; }; echo "ran: $*; ca $DENO_TLS_CA_STORE; in $PWD"`;
const WRONG = RIGHT.replace("2.7.11", "2.9.0");

/** The POSIX shells on this machine. */
async function shells(): Promise<string[][]> {
  const found: string[][] = [];
  for (const shell of [["/bin/sh"], ["dash"], ["busybox", "sh"], ["bash", "--posix"]]) {
    try {
      await run(shell[0] ?? "", [...shell.slice(1), "-c", ":"], { timeoutMs: HANG_MS });
      found.push(shell);
    } catch (err) {
      if (!(err instanceof Deno.errors.NotFound)) throw err;
    }
  }
  return found;
}

/** A directory with only sed and these programs. */
async function bin(programs: Record<string, string>): Promise<string> {
  const dir = await Deno.makeTempDir();
  await writeProgram(`${dir}/sed`, `#!/bin/sh\nPATH=/usr/bin:/bin exec sed "$@"\n`);
  for (const [name, body] of Object.entries(programs)) {
    await writeProgram(`${dir}/${name}`, `#!/bin/sh\n${body}\n`);
  }
  return dir;
}

async function wrapper(shell: string[], path: string, env: Record<string, string> = {}) {
  const which = await run("/bin/sh", ["-c", `command -v ${shell[0]}`], { timeoutMs: HANG_MS });
  return await run(which.stdout.trim(), [...shell.slice(1), WRAPPER, "task", "a b"], {
    cwd: "/usr",
    env: { PATH: path, ...env },
    clearEnv: true,
    timeoutMs: HANG_MS,
  });
}

for (const shell of Deno.build.os === "windows" ? [] : await shells()) {
  const title = (text: string) => `scripts/deno under ${shell.join(" ")} ${text}`;

  Deno.test(title("runs the Deno on PATH if it has the right version"), async () => {
    const ended = await wrapper(shell, await bin({ deno: RIGHT, npx: "echo npx was called; exit 9" }));
    assertEquals(ended.stdout, "ran: task a b; ca system,mozilla; in /usr\n");
    assertEquals(ended.code, 0);
  });

  Deno.test(title("keeps DENO_TLS_CA_STORE if it is set"), async () => {
    const ended = await wrapper(shell, await bin({ deno: RIGHT }), { DENO_TLS_CA_STORE: "mozilla" });
    assertMatch(ended.stdout, /ca mozilla;/);
  });

  Deno.test(title("uses npx if PATH has another Deno version or none"), async () => {
    const real = `${await bin({ real: RIGHT })}/real`;
    const npx = `[ "$1 $2 $3" = "-y deno@2.7.11 eval" ] && echo ${real}`;
    const cases: Record<string, string>[] = [{ deno: WRONG, npx }, { npx }];
    for (const programs of cases) {
      const ended = await wrapper(shell, await bin(programs));
      assertEquals(ended.stdout, "ran: task a b; ca system,mozilla; in /usr\n");
    }
  });

  Deno.test(title("asks npx once, and again if Deno is gone or another"), async () => {
    const home = await Deno.makeTempDir();
    const real = `${await bin({ real: RIGHT })}/real`;
    const npx = `echo asked >> ${home}/asked; echo ${real}`;
    const path = `${await bin({ npx })}:/usr/bin:/bin`;
    const asked = async () => {
      assertEquals((await wrapper(shell, path, { HOME: home })).stdout.slice(0, 13), "ran: task a b");
      return Deno.readTextFileSync(`${home}/asked`).length / "asked\n".length;
    };
    assertEquals([await asked(), await asked()], [1, 1]);
    const remembered = `${home}/.cache/signet-connectors/deno-2.7.11.path`;
    for (const other of ["/nowhere/deno", `${await bin({ real: WRONG })}/real`, ""]) {
      Deno.writeTextFileSync(remembered, other);
      const before = Deno.readTextFileSync(`${home}/asked`).length / "asked\n".length;
      assertEquals(await asked(), before + 1, other);
    }
  });

  Deno.test(title("explains in two lines how to get Deno if there is none"), async () => {
    const cases: Record<string, string>[] = [{}, { deno: WRONG }, { npx: "exit 1" }, {
      npx: "echo /nowhere/deno",
    }];
    for (const programs of cases) {
      const ended = await wrapper(shell, await bin(programs));
      assertEquals(ended.code, 127);
      assertEquals(ended.stdout, "");
      assertMatch(
        ended.stderr,
        /^scripts\/deno: Deno 2\.7\.11 is needed.*\nInstall Deno 2\.7\.11 from .*\n$/,
      );
    }
  });
}
