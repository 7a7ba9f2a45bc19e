import { assertEquals } from "@std/assert";
import { until } from "../../../connectors/base/testing/until.ts";
import { readState } from "../../state/state_file.ts";
import { DOORBELL } from "./doorbell.ts";
import { wake } from "./wake.ts";

/** A `codex` that notes its arguments and refuses a few times, and a `sleep` that returns at once. */
async function fakeCodex(refusals: number) {
  const dir = await Deno.makeTempDir({ prefix: "signet-" });
  const calls = `${dir}/calls`;
  const codex = `#!/bin/sh
earlier=$(grep -c '^queue' '${calls}')
echo "$*" >> '${calls}'
[ "$earlier" -ge ${refusals} ]
`;
  await Deno.writeTextFile(calls, "");
  await Deno.writeTextFile(`${dir}/codex`, codex, { mode: 0o755 });
  await Deno.writeTextFile(`${dir}/sleep`, `#!/bin/sh\necho "pause $1" >> '${calls}'\n`, { mode: 0o755 });
  return { dir, text: () => readState(calls) ?? "" };
}

/** Rings for an idle Codex session, in a process that ends at once, as `send` does. */
async function ringFor(thread: string, dir: string): Promise<void> {
  const session = { key: thread, harness: "codex", status: "idle", wake: "queue" };
  const code = `import { ring } from ${JSON.stringify(import.meta.resolve("./wake.ts"))};
if (ring(${JSON.stringify(session)}) !== "queued") throw new Error("It was not queued.");`;
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-check", "--ext=ts", code],
    env: { PATH: `${dir}:${Deno.env.get("PATH")}` },
  }).output();
  assertEquals(success, true, new TextDecoder().decode(stderr));
}

Deno.test({
  name: "ring() tries again if Codex refuses the doorbell, and stops once it is queued",
  ignore: Deno.build.os === "windows",
  async fn() {
    const { dir, text } = await fakeCodex(2);
    try {
      await ringFor("it's a thread", dir);
      const rung = `queue --thread it's a thread --message ${DOORBELL}\n`;
      const expected = `${rung}pause 1\n${rung}pause 3\n${rung}`;
      await until("Codex was called three times", () => text().length >= expected.length);
      assertEquals(text(), expected);
    } finally {
      await Deno.remove(dir, { recursive: true });
    }
  },
});

Deno.test("wake() says when a working session sees a message", () => {
  const session = {
    v: 1,
    harness: "codex",
    key: "s1",
    agentId: "work",
    url: "http://127.0.0.1:9",
    project: "/home/u/app",
    machine: "m1",
    startedAt: 0,
    since: 0,
    status: "working",
    wake: "none",
  } as const;
  const seen = ([1, 2, 3, 4] as const).map((priority) => wake(session, { priority, kind: "message" }));
  assertEquals(seen, ["next prompt", "next prompt", "busy", "busy"]);
});
