import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { createUi } from "../../connectors/base/cli/output/ui.ts";
import { until } from "../../connectors/base/testing/until.ts";
import { call } from "../worlds/cli_call.ts";
import { findConnector } from "../worlds/find_connector.ts";
import { World } from "../worlds/world.ts";

const pyagent = findConnector("signet-pyagent");
const connect = findConnector("signet-connect");

// deno-lint-ignore no-control-regex -- control characters are what it looks for
const COLOR = /\x1b\[/;

Deno.test("on a terminal, sentences wrap between words and commands stay whole", () => {
  const lines: string[] = [];
  const ui = createUi({
    json: false,
    quiet: false,
    env: () => undefined,
    terminal: {
      stdin: true,
      stdout: true,
      stderr: true,
      columns: 40,
      out: (text) => lines.push(text),
      err: (text) => lines.push(text),
    },
  });
  ui.warn("The daemon at http://127.0.0.1:3850 is not reachable: connection refused.");
  ui.next(`To check that it works, run: ${ui.bold("signet-connect doctor claude-code codex")}`);
  assertEquals(
    // deno-lint-ignore no-control-regex -- colors
    lines.join("").replace(/\x1b\[\d+m/g, ""),
    [
      "! The daemon at http://127.0.0.1:3850 is",
      "  not reachable: connection refused.",
      "  - To check that it works, run:",
      "    signet-connect doctor claude-code codex",
      "",
    ].join("\n"),
  );
});

Deno.test("colour is used only on terminals that allow it", async () => {
  const cases: [boolean, Record<string, string>, boolean][] = [
    [false, {}, false],
    [true, {}, true],
    [true, { NO_COLOR: "1" }, false],
    [true, { NO_COLOR: "" }, true],
    [true, { TERM: "dumb" }, false],
    [false, { CLICOLOR_FORCE: "1" }, true],
  ];
  for (const [terminal, env, colored] of cases) {
    const { out } = await call(pyagent, ["--help"], { terminal, env });
    assertEquals(COLOR.test(out), colored, JSON.stringify({ terminal, env }));
  }
});

Deno.test("help environment names every SIGNET variable that the code reads", async () => {
  const { out } = await call(pyagent, ["help", "environment"], { env: { COLUMNS: "200" } });
  const read = new Set<string>();
  const look = async (dir: URL): Promise<void> => {
    for await (const { name, isDirectory } of Deno.readDir(dir)) {
      if (isDirectory) await look(new URL(`${name}/`, dir));
      else if (name.endsWith(".ts") && !name.endsWith("_test.ts")) {
        const text = await Deno.readTextFile(new URL(name, dir));
        for (const [, variable = ""] of text.matchAll(/\benv\("(SIGNET_[A-Z_]+)"\)/g)) read.add(variable);
      }
    }
  };
  for (const dir of ["../../hooks/", "../../connectors/"]) await look(new URL(dir, import.meta.url));
  assert(read.size > 8, [...read].join(" "));
  for (const name of read) assertStringIncludes(out, name);
});

Deno.test("text fits a narrow terminal, except for lines to copy", async () => {
  await using world = await World.create({ ".pyagent/config.yaml": "a: 1\n" });
  const env = { HOME: world.home, SIGNET_DAEMON_URL: "http://127.0.0.1:9" };
  const pages = [
    [],
    ["capabilities"],
    ...connect.commands.map(({ id }) => ["help", ...id.split(".")]),
    ...["exit-codes", "environment", "files", "modes"].map((topic) => ["help", topic]),
  ];
  for (const page of pages) {
    for (const options of [{ env, columns: 40, terminal: true }, { env: { ...env, COLUMNS: "40" } }]) {
      const { code, out } = await call(connect, page, options);
      assertEquals(code, 0);
      // deno-lint-ignore no-control-regex -- control characters are what it looks for
      for (const line of out.replace(/\x1b\[\d+m/g, "").split("\n")) {
        const copied = /^ {2}(signet-connect |[-~]|[A-Z_]+[,= ])/.test(line);
        if (!copied) assert(line.length <= 40, `${page.join(" ")}: ${line}`);
      }
    }
  }
});

Deno.test("--quiet leaves warnings and errors, --json leaves one document", async () => {
  await using world = await World.create({ ".pyagent/config.yaml": "a: 1\n" });
  const env = { HOME: world.home };
  const install = ["install", "--yes", "--url", "http://127.0.0.1:9"];
  for (const flag of ["--quiet", "-q"]) {
    const { code, out, err } = await call(pyagent, [flag, ...install], { env });
    assertEquals([code, out], [0, ""]);
    assertMatch(err, /^! The daemon at http:\/\/127\.0\.0\.1:9 is not reachable/);
  }
  for (
    const args of [install, ["status"], ["doctor"], ["sync"], ["flush"], ["uninstall", "--yes"], ["help"], [
      "--version",
    ]]
  ) {
    const { out } = await call(pyagent, [...args, "--json"], { env, terminal: true });
    assertEquals(out, JSON.stringify(JSON.parse(out), null, 2) + "\n", args.join(" "));
  }
});

Deno.test("during() shows on a terminal what takes longer than a second, and clears the line", async () => {
  const written: string[] = [];
  const ui = (stderr: boolean, quiet = false) =>
    createUi({
      json: false,
      quiet,
      env: () => undefined,
      terminal: {
        stdout: true,
        stdin: true,
        stderr,
        columns: 80,
        out() {},
        err: (text) => written.push(text),
      },
    });
  let end = () => {};
  const slow = new Promise<string>((resolve) => end = () => resolve("done"));
  // The step ends when the text has appeared: no clock decides.
  const shown = ui(true).during("Copying", slow);
  await until("the text appears", () => written.length > 0);
  end();
  assertEquals(await shown, "done");
  assertStringIncludes(written[0] ?? "", "… Copying");
  assertEquals(written.at(-1), "\r\x1b[2K");
  written.length = 0;
  assertEquals(await ui(true).during("Copying", Promise.resolve("at once")), "at once");
  assertEquals(await ui(false).during("Copying", Promise.resolve("no terminal")), "no terminal");
  assertEquals(await ui(true, true).during("Copying", Promise.resolve("quiet")), "quiet");
  assertEquals(written, []);
});
