import { assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { DEEP } from "../../../connectors/base/testing/deep.ts";
import { Locks } from "./locks.ts";

const [PROCESSES, ROUNDS, PATHS] = DEEP ? [64, 200, 8] : [6, 40, 3];
const CONTENDER = fromFileUrl(new URL("./contender.ts", import.meta.url));

async function world() {
  const root = await Deno.realPath(await Deno.makeTempDir());
  await Deno.mkdir(`${root}/agents`);
  await Deno.mkdir(`${root}/files`);
  const start = (name: string, rounds: number) =>
    new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "-A",
        "--no-check",
        CONTENDER,
        `${root}/agents`,
        `${root}/files`,
        name,
        `${rounds}`,
        `${PATHS}`,
      ],
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  return { root, start };
}

async function outputs(children: readonly Deno.ChildProcess[]): Promise<string[]> {
  const decoder = new TextDecoder();
  const ended = await Promise.all(children.map((child) => child.output()));
  return ended.map(({ stdout, stderr }) => (decoder.decode(stdout) + decoder.decode(stderr)).trim());
}

Deno.test(`${PROCESSES} processes take and free ${PATHS} locks ${ROUNDS} times: never two holders`, async () => {
  const { root, start } = await world();
  const children = Array.from({ length: PROCESSES }, (_, i) => start(`p${i}`, ROUNDS));
  assertEquals(await outputs(children), Array(PROCESSES).fill(`ok ${ROUNDS}`));
  assertEquals(new Locks(`${root}/agents`).dir.list(), [], "all of them are free");
});

Deno.test({
  name: "holders that are killed are replaced, and still there are never two",
  // Elsewhere a dead owner is found only when its lease ends.
  ignore: Deno.build.os !== "linux",
  async fn() {
    const { root, start } = await world();
    const victims = Array.from({ length: DEEP ? 24 : 4 }, (_, i) => start(`v${i}`, 1_000_000));
    const others = Array.from({ length: DEEP ? 16 : 3 }, (_, i) => start(`o${i}`, ROUNDS));
    const finished = outputs(others);
    for (const victim of victims) {
      // Each dies once it holds something, wherever it is in its round.
      const reader = victim.stdout.getReader();
      const dir = `${root}/agents/locks/held`;
      for (let i = 0; i < 1000 && !await exists(dir); i++) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
      victim.kill("SIGKILL");
      await victim.status;
      await reader.cancel();
      await victim.stderr.cancel();
    }
    assertEquals(await finished, Array(others.length).fill(`ok ${ROUNDS}`));
    assertEquals(new Locks(`${root}/agents`).dir.list(), [], "what the dead held is free");
  },
});

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
