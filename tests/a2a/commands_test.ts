import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { A2aGateway } from "../worlds/a2a/a2a_gateway.ts";
import { AgentMachine } from "../worlds/agents/agent_machine.ts";

/** A second machine that knows the agents of the first one as `ext:NAME`. */
async function neighbour(world: A2aGateway): Promise<AgentMachine> {
  const machine = await AgentMachine.make();
  await machine.write("token.txt", `${world.token}\n`, 0o600);
  return machine;
}

Deno.test("a2a peers: an outside agent has a handle in agents and send, and answers", async () => {
  await using world = await A2aGateway.start();
  const codex = world.machine.begin("codex");
  await using other = await neighbour(world);
  const token = ["--token-file", `${other.path}/token.txt`];
  const added = await other.run("a2a", "peers", "add", "reviewer", `${world.url}/agents/codex`, ...token);
  assertEquals([added.code, added.err], [0, ""]);
  assertStringIncludes(added.out, 'Added ext:reviewer: "Codex (Signet)"');
  assertMatch((await other.run("agents")).out, /^ext:reviewer +outside +127\.0\.0\.1:\d+$/m);
  const { data } = await other.json("agents");
  assertEquals(data.outside, [{ handle: "ext:reviewer", url: `${world.url}/agents/codex` }]);
  const sending = other.run("send", "ext:reviewer", "Review", "this.");
  const message = await world.seenBy(codex);
  assertEquals(message.text, "Review this.");
  await world.answer(codex, message, "Looks good.\u001b[31m");
  const sent = await sending;
  assertEquals([sent.code, sent.out], [0, "Looks good.\n"], sent.err);
  const file = Deno.statSync(`${other.path}/.config/signet/a2a_peers.json`);
  assertEquals((file.mode ?? 0) & 0o777, 0o600, "it has a token in it");
  assert(!(await other.run("a2a", "peers", "list", "--json")).out.includes(world.token));
  assertEquals((await other.run("a2a", "peers", "remove", "reviewer")).code, 0);
  assertStringIncludes(
    (await other.run("send", "ext:reviewer", "x")).err,
    "There is no outside agent ext:reviewer.",
  );
});

Deno.test("a2a call: an agent's failure, a wrong token and a dead address are reported", async () => {
  await using world = await A2aGateway.start();
  const codex = world.machine.begin("codex");
  await using other = await neighbour(world);
  const token = ["--token-file", `${other.path}/token.txt`];
  const calling = other.run("a2a", "call", world.url, ...token, "Push to main.");
  await world.answer(codex, await world.seenBy(codex), "I may not.", true);
  const failed = await calling;
  assertEquals(failed.code, 1);
  assertStringIncludes(failed.err, "could not do it: I may not.");
  const late = await other.run("a2a", "call", world.url, ...token, "--wait", "1", "Take your time.");
  assertEquals(late.code, 3);
  // On a slow machine the task may not be known by then.
  assertMatch(late.err, /has not answered within 1 s(; the task is [\w-]+)?\./);
  const without = await other.run("a2a", "call", world.url, "Hello");
  assertEquals(without.code, 1, without.out);
  const nobody = await other.run("a2a", "call", "http://127.0.0.1:9", "Hello");
  assertEquals(nobody.code, 7, nobody.err);
  const remote = await other.run("a2a", "call", "http://gateway.example", ...token, "Hello");
  assertStringIncludes(remote.err, "is another machine without TLS");
  assertEquals((await other.run("a2a", "call", "nonsense", "Hello")).code, 2);
});

Deno.test("a2a tokens: a token is shown once and stored as a hash", async () => {
  await using machine = await AgentMachine.make();
  const made = await machine.run("a2a", "tokens", "create", "laptop");
  const [token = ""] = made.out.split("\n");
  assertMatch(token, /^sa2a_[\w-]{43}$/);
  assertEquals((await machine.run("a2a", "tokens", "create", "laptop")).code, 2);
  assertEquals((await machine.run("a2a", "tokens", "create", "../x")).code, 2);
  assertMatch((await machine.run("a2a", "tokens")).out, /^CLIENT +AGE\nlaptop +/);
  const files = [...Deno.readDirSync(machine.dir)].filter(({ isFile }) => isFile).map(({ name }) => name);
  assert(files.includes("a2a.sqlite"));
  for (const name of files) {
    const bytes = new TextDecoder("latin1").decode(Deno.readFileSync(`${machine.dir}/${name}`));
    assert(!bytes.includes(token), name);
    assertEquals((Deno.statSync(`${machine.dir}/${name}`).mode ?? 0) & 0o077, 0, name);
  }
  assertEquals((await machine.run("a2a", "tokens", "revoke", "laptop")).code, 0);
  assertEquals((await machine.run("a2a", "tokens", "revoke", "laptop")).code, 2);
  assertEquals((await machine.run("a2a", "tokens", "paint")).code, 2);
});

Deno.test("a2a card: no path, no project and no agent id is in a card", async () => {
  await using machine = await AgentMachine.make();
  machine.begin("claude-code", { agentId: "nicholai", project: "/home/nicholai/secret-project" });
  for (const args of [[], ["claude"]]) {
    const { out, code } = await machine.run("a2a", "card", ...args);
    assertEquals(code, 0);
    assertStringIncludes(out, '"name": "Claude Code (Signet)"');
    assert(!/nicholai|secret-project|\/home/.test(out), out);
  }
  assertEquals((await machine.run("a2a", "card", "nobody")).code, 2);
});

Deno.test("a2a serve: what would expose tokens is refused, and bad flags are explained", async () => {
  await using machine = await AgentMachine.make();
  for (
    const [args, text] of [
      [["--host", "0.0.0.0"], "Without TLS, everybody in the network could read the tokens"],
      [["--port", "99999"], "--port must be a number from 0 to 65535"],
      [["--tls-cert", "x.pem"], "--tls-cert and --tls-key belong together."],
      [["--url", "ftp://x"], "--url must be an http or https URL"],
      [["--start", "--cwd", "/no/such/dir"], "/no/such/dir is not a directory."],
      [["--ttl", "never"], "--ttl must be a time"],
    ] as const
  ) {
    const { code, err } = await machine.run("a2a", "serve", ...args);
    assertEquals(code, 2, args.join(" "));
    assertStringIncludes(err, text);
  }
});

Deno.test("a2a serve: the command serves until it is stopped, and tells its address", async () => {
  await using machine = await AgentMachine.make();
  const main = fromFileUrl(new URL("../../connectors/connect/main.ts", import.meta.url));
  const denoDir = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", main, "a2a", "serve", "--port", "0"],
    env: { HOME: machine.path, DENO_DIR: denoDir, NO_COLOR: "1" },
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  try {
    const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!/ at (http:\S+)\n/.test(text)) {
      const { value, done } = await reader.read();
      assert(!done, text);
      text += value;
    }
    const [, url = ""] = / at (http:\S+)\n/.exec(text) ?? [];
    const response = await fetch(`${url}/.well-known/agent-card.json`);
    assertEquals((await response.json()).supportedInterfaces[0].url, url);
    const busy = await machine.run("a2a", "serve", "--port", new URL(url).port);
    assertStringIncludes(busy.err, "is in use");
    child.kill("SIGTERM");
    assertEquals((await child.status).code, 0);
    await reader.cancel();
  } finally {
    try {
      child.kill("SIGKILL");
    } catch {
      // It has ended.
    }
  }
});
