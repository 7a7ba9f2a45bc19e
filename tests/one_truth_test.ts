import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { EXIT } from "../connectors/base/cli/command.ts";
import { appendLog } from "../hooks/log.ts";
import { type MockServer, serve } from "../mock_daemon/mod.ts";
import { call } from "./worlds/cli_call.ts";
import { findConnector } from "./worlds/find_connector.ts";
import { World } from "./worlds/world.ts";

const program = findConnector("signet-connect");

interface Reported {
  harness: string;
  status: string;
  findings: { id: string; ok: boolean; event?: string; ms?: number; fix?: string }[];
}

/** A home with these harnesses' directories, and a daemon in local mode. */
async function machine(...dirs: string[]) {
  const world = await World.create(Object.fromEntries(dirs.map((dir) => [`${dir}/keep`, ""])));
  const daemon: MockServer = serve();
  const env = { HOME: world.home };
  const signet = (...args: string[]) => call(program, args, { env });
  const reported = async (command: string): Promise<Reported[]> =>
    JSON.parse((await signet(command, "--json")).out);
  /** What a command says of each harness. */
  const verdicts = async (command: string) =>
    (await reported(command)).filter(({ status }) => status !== "native").map((
      { harness, status },
    ) => [harness, status]);
  return {
    world,
    signet,
    reported,
    verdicts,
    install: (...args: string[]) =>
      signet("install", ...args, "--yes", "--url", daemon.url, "--agent-id", "u/a"),
    log: (harness: string, session: string) =>
      appendLog(`${world.home}/.local/state/signet/${harness}`, {
        at: new Date().toISOString(),
        event: "session-start",
        outcome: "ok",
        ms: 12,
        session,
      }),
    async [Symbol.asyncDispose]() {
      await daemon.shutdown();
      await world[Symbol.asyncDispose]();
    },
  };
}

Deno.test("health, status and doctor agree that Codex with untrusted hooks is not healthy", async () => {
  await using place = await machine(".codex");
  assertEquals((await place.install("codex")).code, EXIT.ok);
  for (const command of ["health", "status", "doctor"]) {
    assertEquals(await place.verdicts(command), [["codex", "degraded"]], command);
    assertEquals((await place.signet(command)).code, EXIT.degraded, command);
  }
  const { err, out } = await place.signet("status");
  assertMatch(out, /^Codex +degraded /m);
  assertStringIncludes(err, "trust");
  assertEquals((await place.install("codex", "--trust-hooks")).code, EXIT.ok);
  for (const command of ["health", "status"]) {
    assertEquals(await place.verdicts(command), [["codex", "healthy"]], command);
    assertEquals((await place.signet(command)).code, EXIT.ok, command);
  }
});

Deno.test("a harness that is not connected is no error for the others, unless it is named", async () => {
  await using place = await machine(".claude", ".pyagent");
  assertEquals((await place.install("pyagent")).code, EXIT.ok);
  for (const command of ["health", "status"]) {
    assertEquals(await place.verdicts(command), [["pyagent", "healthy"], ["claude-code", "needs_setup"]]);
    const all = await place.signet(command);
    assertEquals([all.code, all.err], [EXIT.ok, ""], command);
    assertEquals((await place.signet(command, "claude-code")).code, EXIT.degraded, command);
  }
  assertEquals((await place.verdicts("doctor")).map(([harness]) => harness), ["pyagent", "claude-code"]);
});

Deno.test("hooks that doctor ran are not counted as fired", async () => {
  await using place = await machine(".claude");
  assertEquals((await place.install("claude-code")).code, EXIT.ok);
  place.log("claude-code", "test-doctor-");
  const before = await place.signet("status");
  assertMatch(before.out, /^Claude Code .* not yet /m);
  assertStringIncludes(before.out, "Claude Code: hooks fired: not yet: start Claude Code once");
  place.log("claude-code", "5f3c");
  assertMatch((await place.signet("status")).out, /^Claude Code .* 1, a moment ago /m);
});

Deno.test("doctor --json has a stable id per finding, with event and ms for hooks", async () => {
  await using place = await machine(".pyagent");
  assertEquals((await place.install("pyagent")).code, EXIT.ok);
  const [pyagent] = await place.reported("doctor");
  const findings = pyagent?.findings ?? [];
  assert(findings.every(({ id }) => /^[a-z-]+$/.test(id)), JSON.stringify(findings));
  const hooks = findings.filter(({ id }) => id === "hook");
  // In the tests no program was copied, so the session was not bypassed and the other hooks did not run.
  const skipped = findings.filter(({ id }) => id === "hook-skipped");
  assertEquals([...hooks, ...skipped].map(({ event }) => event), [
    "session-start",
    "user-prompt-submit",
    "session-end",
  ]);
  assert(
    [...hooks, ...findings.filter(({ id }) => id === "daemon")].every(({ ms }) => typeof ms === "number"),
  );
  // `doctor --fix` would copy the program.
  assertEquals(
    findings.find(({ id }) => id === "program")?.fix,
    "run: signet-connect doctor pyagent --fix",
  );
});

Deno.test("an install whose entries were removed is broken everywhere, with exit code 1", async () => {
  await using place = await machine(".pyagent");
  assertEquals((await place.install("pyagent")).code, EXIT.ok);
  await place.world.write(".pyagent/config.yaml", "model: local\n");
  for (const command of ["health", "status", "doctor"]) {
    assertEquals(await place.verdicts(command), [["pyagent", "needs_setup"]], command);
    assertEquals((await place.signet(command)).code, EXIT.failed, command);
  }
  assertMatch((await place.signet("status")).out, /^PyAgent +broken /m);
});
