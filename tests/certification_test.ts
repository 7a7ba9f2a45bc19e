import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type Command, EXIT, MODES } from "../connectors/base/cli/command.ts";
import { riskTier } from "../connectors/base/cli/manifest.ts";
import { connectorFiles, CONNECTORS } from "../scripts/contract/connector_files.ts";
import { call } from "./worlds/cli_call.ts";
import { CONFIG, CONTRACT, HEALTH, PERMISSIONS } from "./worlds/contract_schema.ts";
import { World } from "./worlds/world.ts";

const ROOT = new URL("..", import.meta.url);
const words = (command: Command) => command.id.split(".");
const committed = async (path: string): Promise<unknown> =>
  JSON.parse(await Deno.readTextFile(new URL(path, ROOT)));

Deno.test("connector.json and permissions.json are what the command table says (deno task contract)", async () => {
  for (const { path, text } of connectorFiles()) {
    assertEquals(await Deno.readTextFile(new URL(path, ROOT)), text, path);
  }
});

for (const connector of CONNECTORS) {
  const { binary, commands, folder, harnesses } = connector;

  Deno.test(`${binary}: the contract is valid, and the binary's own answer`, async () => {
    const contract = CONTRACT.parse(await committed(`${folder}/connector.json`));
    assertEquals(contract.tool, binary);
    assertEquals(new Set(contract.commands.map(({ id }) => id)).size, contract.commands.length);
    for (const required of ["capabilities", "health", "config.show"]) {
      const found = contract.commands.find(({ id }) => id === required);
      assertEquals([found?.required_mode, found?.supports_json], ["readonly", true], required);
    }
    const { code, out, err } = await call(connector, ["capabilities", "--json"]);
    assertEquals([code, err, JSON.parse(out)], [0, "", contract]);
    const permissions = PERMISSIONS.parse(await committed(`${folder}/permissions.json`));
    assertEquals(
      Object.entries(permissions.commands),
      contract.commands.map(({ id, required_mode }) => [id, required_mode]),
    );
  });

  Deno.test(`${binary}: every command of the manifest exists, has help with an example, and none is hidden`, async () => {
    const overview = (await call(connector, ["--help"])).out;
    const listed = overview.slice(overview.indexOf("COMMANDS"), overview.indexOf("FLAGS FOR EVERY"));
    const shown = [...listed.matchAll(/^ {2}(\S+(?: [a-z-]+){0,2}) {2,}\S/gm)].map(([, name]) => name);
    assertEquals(new Set(shown), new Set(commands.map((command) => words(command).join(" "))));
    for (const command of commands) {
      for (const args of [[...words(command), "--help"], ["help", ...words(command)]]) {
        const { code, out, err } = await call(connector, args);
        assertEquals([code, err], [0, ""], command.id);
        assert(out.startsWith(`${command.summary}.\n`), out);
        assertStringIncludes(out, `\nEXAMPLES\n  ${binary} ${words(command).join(" ")}`);
        assertStringIncludes(out, `Needs mode ${command.mode}.`);
        // A binary for several harnesses shows how to name one.
        assertEquals(out.includes("-H, --harness"), connector.harnesses.length > 1, command.id);
      }
      // `hook` has another entry point, which loads no library.
      if (command.id !== "hook") assertEquals(typeof (await command.load?.())?.run, "function", command.id);
    }
    const unknown = await call(connector, ["no-such-command"]);
    assertEquals([unknown.code, unknown.out], [EXIT.usage, ""]);
  });

  Deno.test(`${binary}: a mode that is too low is refused before anything is read or written`, async () => {
    const program = {
      ...connector,
      commands: commands.map((command) => ({ ...command, load: () => Promise.reject(new Error("loaded")) })),
    };
    // Every path begins at HOME or an XDG variable, and every daemon at a SIGNET one: none may be asked for.
    const host = (ceiling?: string) => ({
      os: Deno.build.os,
      env(name: string) {
        if (name === "SIGNET_CONNECTOR_MODE") return ceiling;
        if (["NO_COLOR", "TERM", "CLICOLOR_FORCE", "COLUMNS"].includes(name)) return undefined;
        throw new Error(`${name} was read`);
      },
    });
    const higher = commands.flatMap((command) => [
      { line: words(command), needs: command.mode },
      ...command.flags.flatMap(({ name, mode }) =>
        mode ? [{ line: [...words(command), `--${name}`], needs: mode }] : []
      ),
    ]);
    for (const { line, needs } of higher) {
      for (const mode of MODES.slice(0, MODES.indexOf(needs))) {
        const calls: [string[], string | undefined][] = [
          [[...line, "--mode", mode], undefined],
          [["--mode", mode, ...line], undefined],
          [line, mode],
          [[...line, "--mode", "admin"], mode],
        ];
        for (const [args, ceiling] of calls) {
          const { code, out, err } = await call(program, args, { host: host(ceiling) });
          assertEquals([code, out], [EXIT.refused, ""], args.join(" "));
          assertStringIncludes(err, `${line.join(" ")} needs mode ${needs}, but this call has mode ${mode}.`);
        }
      }
    }
    assert(higher.some(({ needs }) => needs !== "readonly"));
  });

  Deno.test(`${binary}: destructive commands have their risk tier, and a dry run or a question`, () => {
    for (const command of commands) {
      const sounds = /(^|[.-])(uninstall|revoke|delete|remove|purge|reset|clean)$/.test(command.id);
      assertEquals(command.action === "destructive", sounds, command.id);
      const expected = { read: 1, write: 2, change: 3, destructive: 4 }[command.action];
      assertEquals(riskTier(command), command.mode === "admin" ? 4 : expected, command.id);
      if (command.action === "read" && command.mode !== "admin") assertEquals(command.mode, "readonly");
      else assert(command.mode !== "readonly", command.id);
      if (sounds) assert(command.flags.some(({ name }) => name === "yes"), command.id);
    }
  });

  Deno.test(`${binary}: capabilities, health and config show answer people and programs`, async () => {
    await using world = await World.create();
    for (const harness of harnesses) {
      await Deno.mkdir(harness.configDir({ host: { env: () => undefined, os: "linux" }, home: world.home }), {
        recursive: true,
      });
    }
    const env = {
      HOME: world.home,
      SIGNET_DAEMON_URL: "http://127.0.0.1:9",
      SIGNET_API_KEY: "k-secret-9876",
    };
    const before = await world.snapshot();
    const one = (value: unknown) => harnesses.length === 1 ? [value] : value;

    const health = await call(connector, ["health"], { env });
    assertEquals(health.code, EXIT.degraded);
    for (const { displayName } of harnesses) {
      if (harnesses.length === 1) assertStringIncludes(health.err, `${displayName} needs to be set up`);
      else assertStringIncludes(health.out, `${displayName} is not connected`);
    }
    const healthJson = await call(connector, ["health", "--json"], { env });
    const parsed = HEALTH.array().parse(one(JSON.parse(healthJson.out)));
    assertEquals(
      parsed.map(({ harness, status }) => [harness, status]),
      harnesses.map(({ id }) => [id, "needs_setup"]),
    );
    assert(parsed.every(({ next_steps }) => next_steps.some((step) => step.startsWith(`${binary} install`))));

    const config = await call(connector, ["config", "show"], { env });
    assertEquals([config.code, config.err], [0, ""]);
    assertMatch(config.out, /url +http:\/\/127\.0\.0\.1:9 +\(SIGNET_DAEMON_URL\)/);
    assertMatch(config.out, /apiKey +…9876 +\(SIGNET_API_KEY\)/);
    const configJson = await call(connector, ["config", "show", "--json"], { env });
    assert(!config.out.includes("k-secret") && !configJson.out.includes("k-secret"));
    const shown = CONFIG.array().parse(one(JSON.parse(configJson.out)));
    assertEquals(
      shown.map(({ harness, url }) => [harness, url.from]),
      harnesses.map(({ id }) => [id, "SIGNET_DAEMON_URL"]),
    );

    const capabilities = await call(connector, ["capabilities"], { env });
    assertEquals([capabilities.code, capabilities.err], [0, ""]);
    for (const { displayName, fidelity } of harnesses) {
      assertStringIncludes(capabilities.out, displayName);
      for (const facet of Object.keys(fidelity)) assertStringIncludes(capabilities.out, facet);
    }
    assertEquals(await world.snapshot(), before);
  });
}
