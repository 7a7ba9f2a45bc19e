import { assertRejects } from "@std/assert";
import type { Entry } from "./entries.ts";
import { smoke } from "./smoke.ts";
import { writeProgram } from "../../connectors/base/testing/write_program.ts";

const PI: Entry = { name: "pi", binary: "signet-pi", main: "connectors/pi/main.ts", kind: "connector" };

/** A shell script in place of a binary. */
async function program(cases: Record<string, string>): Promise<string> {
  const path = `${await Deno.makeTempDir()}/signet-pi`;
  const arms = Object.entries(cases).map(([arg, body]) => `${arg}) ${body};;`).join("\n");
  await writeProgram(path, `#!/bin/sh\ncase "$1" in\n${arms}\nesac\n`);
  return path;
}

const GOOD = {
  "--version": "echo signet-pi 1.2.3",
  hook: "echo session-start",
  mcp: `cat >/dev/null; echo '{"jsonrpc":"2.0","id":1,"result":{"serverInfo":{"name":"signet"}}}'`,
};

Deno.test({
  name: "smoke() accepts a binary that passes every probe",
  ignore: Deno.build.os === "windows",
  fn: async () => await smoke(await program(GOOD), PI, "1.2.3"),
});

Deno.test({
  name: "smoke() names the probe that fails, and its output",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const cases: [Record<string, string>, string][] = [
      [
        { ...GOOD, "--version": "echo 1.2.2" },
        "signet-pi --version does not print 1.2.3. It printed:\n1.2.2",
      ],
      [
        { ...GOOD, hook: "echo nothing here" },
        "signet-pi hook --help does not print the session-start event",
      ],
      [{ ...GOOD, hook: "echo session-start; exit 3" }, "signet-pi hook --help ended with code 3"],
      [{ ...GOOD, mcp: "cat >/dev/null" }, "signet-pi mcp does not answer initialize with a line of JSON"],
      [{ ...GOOD, mcp: `cat >/dev/null; echo '{"id":1,"error":{}}'` }, "its serverInfo"],
      [{ ...GOOD, mcp: "echo no module yaml >&2; exit 1" }, "no module yaml"],
    ];
    for (const [answers, message] of cases) {
      const path = await program(answers);
      await assertRejects(() => smoke(path, PI, "1.2.3"), Error, message);
    }
  },
});
