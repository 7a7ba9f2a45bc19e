import { assertEquals } from "@std/assert";
import { scratch } from "../testing/sync_scratch.ts";

const config = new URL("../../../deno.json", import.meta.url).pathname;

const script = (root: string) => {
  const from = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
  return `
import { stopSignal } from ${from("stop_signal.ts")};
import { watch } from ${from("watch.ts")};
const root = ${JSON.stringify(root)};
const job = { harness: "pi", binary: "signet-pi", agentId: "default", stateDir: root + "/state/signet/pi", workspace: root + "/agents",
  identity: { path: root + "/AGENTS.md", rule: "own" },
  host: { os: Deno.build.os, env: (name) => name === "HOME" ? root : undefined } };
using stop = stopSignal();
await watch({ jobs: async () => [job], signal: stop.signal, onSync: () => console.log("synced") });
Deno.exit(stop.exitCode);
`;
};

Deno.test({
  name: "stopSignal() ends a watch on SIGINT and SIGTERM, with the exit code of the signal",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using s = await scratch();
    await s.put("AGENTS.md", "one");
    await Deno.writeTextFile(`${s.root}/script.ts`, script(s.root));
    for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 0]] as const) {
      await using child = new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "--no-check", "--config", config, `${s.root}/script.ts`],
        stdout: "piped",
        stderr: "null",
      }).spawn();
      const reader = child.stdout.getReader();
      await reader.read();
      child.kill(signal);
      while (!(await reader.read()).done);
      assertEquals(await child.status, { success: code === 0, code, signal: null }, signal);
    }
  },
});
