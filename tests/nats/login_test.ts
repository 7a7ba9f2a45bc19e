import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { AgentMachine } from "../worlds/agents/agent_machine.ts";
import { NatsServer } from "../worlds/nats/nats_server.ts";
import { nkeys } from "@nats-io/nats-core/internal";
import { makeCertificates } from "../worlds/certificates.ts";

const MODE = 0o777;
type KeyPair = ReturnType<typeof nkeys.createUser>;

Deno.test("agents config set transport, agents login and agents prepare connect a machine", async () => {
  await using nats = await NatsServer.start();
  await using machine = await AgentMachine.make();
  await machine.connect("codex", { url: "http://127.0.0.1:1", agentId: "alice" });
  machine.begin("codex", { agentId: "alice" });
  await machine.write("admin", "a-secret\n", 0o600);
  await machine.write("alice", "l-secret\n", 0o600);
  await machine.write("wrong", "not it\n", 0o600);
  const none = await machine.run(
    "agents",
    "login",
    "--user",
    "alice",
    "--password-file",
    `${machine.path}/alice`,
  );
  assertEquals(none.code, 2);
  assertStringIncludes(none.err, "agents config set transport nats://HOST:4222");

  assertEquals((await machine.run("agents", "config", "set", "transport", nats.url)).code, 0);
  const admin = ["--mode", "admin", "--user", "admin", "--password-file", `${machine.path}/admin`];
  const refused = await machine.run("agents", "prepare", "alice", "bob", "--mode", "admin");
  assertEquals(refused.code, 6);
  assertStringIncludes(refused.err, "rejected the login");
  const prepared = await machine.run("agents", "prepare", "alice", "bob", ...admin);
  assertEquals([prepared.code, prepared.err], [0, ""]);
  assertEquals((await machine.run("agents", "prepare", "alice", "bob", ...admin)).code, 0, "again");

  const wrong = ["--user", "alice", "--password-file", `${machine.path}/wrong`];
  const bad = await machine.run("agents", "login", "--agent-id", "alice", ...wrong);
  assertStringIncludes(bad.err, `The NATS server at ${nats.url} rejected the login of agent`);
  const problem = await machine.run("inbox", "--as", "codex");
  assertEquals(problem.err.trim().split("\n").length, 1, problem.err);
  assertStringIncludes(problem.err, `The NATS server at ${nats.url} rejected the login of agent alice.`);

  const unwell = await machine.run("doctor", "codex");
  assertStringIncludes(unwell.out + unwell.err, "rejected the login of agent alice.");

  const right = ["--user", "alice", "--password-file", `${machine.path}/alice`, "--agent-id", "alice"];
  const good = await machine.run("agents", "login", ...right);
  assertEquals([good.code, good.err], [0, ""]);
  assertMatch(good.out, /accepts it for agent alice/);
  assertEquals(good.out.includes("l-secret"), false);
  assertEquals((Deno.statSync(`${machine.path}/.config/signet/nats.json`).mode ?? 0) & MODE, 0o600);
  assertEquals((await machine.run("inbox", "--as", "codex")).err, "");
  const listed = await machine.json("agents");
  assertEquals(listed.data.problems, []);
  const well = await machine.run("doctor", "codex");
  assertStringIncludes(well.out, `the NATS server at ${nats.url} carries the messages of agent alice`);

  Deno.chmodSync(`${machine.path}/.config/signet/nats.json`, 0o644);
  assertMatch((await machine.run("inbox", "--as", "codex")).err, /nats\.json can be read by others/);
});

Deno.test("agents login takes a token, and TLS with a private authority", async () => {
  await using certificates = await makeCertificates();
  const dir = certificates.ca.replace(/[^/]*$/, "");
  const tls = `tls { cert_file: "${dir}server.pem", key_file: "${dir}server.key" }`;
  await using nats = await NatsServer.start({
    open: true,
    config: `authorization { token: "t-secret" }\n${tls}`,
  });
  await using machine = await AgentMachine.make();
  machine.begin("codex", { agentId: "alice" });
  await machine.write("token", "t-secret", 0o600);
  await machine.run("agents", "config", "set", "transport", nats.url.replace("nats:", "tls:"));
  const token = ["--token-file", `${machine.path}/token`, "--agent-id", "alice"];
  const untrusted = await machine.run("agents", "login", ...token);
  assertMatch(untrusted.err, /has no certificate that this machine trusts: .*--ca FILE/);
  const trusted = await machine.run("agents", "login", ...token, "--ca", certificates.ca);
  assertEquals([trusted.code, trusted.err], [0, ""]);
  assertEquals((await machine.run("inbox", "--as", "codex")).err, "");
});

Deno.test("tls:// refuses a server without TLS", async () => {
  await using nats = await NatsServer.start({ open: true });
  await using machine = await AgentMachine.make();
  await machine.run("agents", "config", "set", "transport", nats.url.replace("nats:", "tls:"));
  const login = await machine.run("agents", "login", "--agent-id", "alice");
  assertMatch(login.err, /tls/i);
  assertEquals(login.code, 3);
});

Deno.test("agents login takes the seed of an nkey, and a creds file must be one", async () => {
  const user = nkeys.createUser();
  const seed = new TextDecoder().decode(user.getSeed());
  const config = `authorization { users: [{ nkey: "${user.getPublicKey()}" }] }`;
  await using nats = await NatsServer.start({ open: true, config });
  await using machine = await AgentMachine.make();
  await machine.write("seed", `${seed}\n`, 0o600);
  await machine.run("agents", "config", "set", "transport", nats.url);
  const without = await machine.run("agents", "login", "--agent-id", "alice");
  assertStringIncludes(without.err, "rejected the login of agent alice");
  const wrong = await machine.run("agents", "login", "--creds", `${machine.path}/seed`);
  assertEquals([wrong.code, wrong.err.includes("not a creds file")], [2, true], wrong.err);
  const login = await machine.run(
    "agents",
    "login",
    "--nkey-file",
    `${machine.path}/seed`,
    "--agent-id",
    "alice",
  );
  assertEquals([login.code, login.err], [0, ""]);
});

/** A token that an operator or an account signs, as the tools of NATS make them. */
function jwt(issuer: KeyPair, subject: KeyPair, name: string, nats: Record<string, unknown>): string {
  const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).toBase64(BASE64URL);
  const claims = {
    jti: crypto.randomUUID(),
    iat: Math.floor(Date.now() / 1000) - 600,
    iss: issuer.getPublicKey(),
    sub: subject.getPublicKey(),
    name,
    nats: { version: 2, ...nats },
  };
  const text = `${encode({ typ: "JWT", alg: "ed25519-nkey" })}.${encode(claims)}`;
  return `${text}.${issuer.sign(new TextEncoder().encode(text)).toBase64(BASE64URL)}`;
}

const BASE64URL = { alphabet: "base64url", omitPadding: true } as const;

Deno.test("agents login takes a creds file", async () => {
  const [operator, system] = [nkeys.createOperator(), nkeys.createAccount()];
  const [account, user] = [nkeys.createAccount(), nkeys.createUser()];
  const unlimited = Object.fromEntries(
    [
      "subs",
      "data",
      "payload",
      "imports",
      "exports",
      "conn",
      "leaf",
      "mem_storage",
      "disk_storage",
      "streams",
      "consumer",
    ]
      .map((name) => [name, -1]),
  );
  const accountToken = jwt(operator, account, "team", {
    type: "account",
    limits: { ...unlimited, wildcards: true },
  });
  const userToken = jwt(account, user, "alice", { type: "user", subs: -1, data: -1, payload: -1 });
  await using nats = await NatsServer.start({
    open: true,
    config: `operator: "${jwt(operator, operator, "us", { type: "operator" })}"
resolver: MEMORY
system_account: ${system.getPublicKey()}
resolver_preload: {
  ${account.getPublicKey()}: "${accountToken}"
  ${system.getPublicKey()}: "${jwt(operator, system, "system", { type: "account" })}"
}`,
  });
  await using machine = await AgentMachine.make();
  machine.begin("codex", { agentId: "alice" });
  const seed = new TextDecoder().decode(user.getSeed());
  await machine.write(
    "alice.creds",
    `-----BEGIN NATS USER JWT-----
${userToken}
------END NATS USER JWT------

-----BEGIN USER NKEY SEED-----
${seed}
------END USER NKEY SEED------
`,
    0o600,
  );
  await machine.run("agents", "config", "set", "transport", nats.url);
  const login = await machine.run(
    "agents",
    "login",
    "--creds",
    `${machine.path}/alice.creds`,
    "--agent-id",
    "alice",
  );
  assertEquals([login.code, login.err], [0, ""]);
  assertEquals((await machine.run("inbox", "--as", "codex")).err, "");
});
