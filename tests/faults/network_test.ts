import { assertEquals, assertStringIncludes } from "@std/assert";
import { makeCertificates } from "../worlds/certificates.ts";
import { FaultyDaemon } from "../worlds/daemon/faulty_daemon.ts";
import { isOnPath } from "../../connectors/base/testing/on_path.ts";
import { SampleHome } from "../worlds/hooks/sample_home.ts";

const START = { session_id: "n", cwd: "/home/u/proj" };
const REMOTE = "http://signet.example:3850";

Deno.test("a proxy never sees what goes to this machine", async () => {
  await using daemon = new FaultyDaemon();
  await using proxy = new FaultyDaemon();
  daemon.answer = () => ({ inject: "direct", memoriesSaved: 0, queued: false });
  for (const host of ["127.0.0.1", "localhost"]) {
    for (const name of ["HTTP_PROXY", "http_proxy", "ALL_PROXY"]) {
      await using home = await SampleHome.make(`http://${host}:${daemon.port}`);
      const env = { [name]: proxy.url, NO_PROXY: "corp.example", SIGNET_API_KEY: "sig_sk_x" };
      assertEquals(
        (await home.hook("session-start", { stdin: START, env })).stdout,
        "direct",
        `${host} ${name}`,
      );
    }
  }
  // A request through a proxy names its host. A late process of another test, whose
  // daemon had this port before, sends a path.
  assertEquals(proxy.received.map(({ path }) => path).filter((path) => !path.startsWith("/")), []);
});

Deno.test("a proxy is used for another machine, unless NO_PROXY names it", async () => {
  await using proxy = new FaultyDaemon();
  proxy.answer = () => ({ inject: "through the proxy", memoriesSaved: 0, queued: false });
  await using home = await SampleHome.make(REMOTE);
  await home.write(".config/signet/connectors/sample.json", JSON.stringify({ url: REMOTE }), 0o600);
  const env = { SIGNET_DAEMON_URL: undefined, HTTP_PROXY: proxy.url };
  assertEquals((await home.hook("session-start", { stdin: START, env })).stdout, "through the proxy");
  assertStringIncludes(proxy.received[0]?.path ?? "", "signet.example");
  // Without the proxy there is no such host; how long the lookup takes to fail varies.
  const direct = await home.hook("session-start", {
    stdin: START,
    budgetMs: 3000,
    env: { ...env, NO_PROXY: "signet.example" },
  });
  assertEquals([direct.code, direct.stdout, proxy.received.length], [0, "", 1]);
});

Deno.test("a key does not leave for another machine over plain http, proxy or not", async () => {
  await using proxy = new FaultyDaemon();
  await using home = await SampleHome.make(REMOTE);
  const env = { HTTP_PROXY: proxy.url, SIGNET_API_KEY: "sig_sk_x" };
  for (const event of ["session-start", "user-prompt-submit"]) {
    assertEquals((await home.hook(event, { stdin: { ...START, prompt: "hi" }, env })).code, 0);
  }
  assertEquals(proxy.received.length, 0);
  assertEquals(home.log().map(({ outcome }) => outcome), ["blocked", "blocked"]);
});

/** Gives one process another /etc/hosts: the first argument is the file, the rest the command. */
const WITH_HOSTS = ["unshare", "-m", "sh", "-c", 'mount --bind "$0" /etc/hosts && exec "$@"'];
const canMount = isOnPath("unshare") &&
  new Deno.Command("unshare", { args: [...WITH_HOSTS.slice(1), "/etc/hosts", "true"], stderr: "null" })
    .outputSync().success;

Deno.test({
  name: "localhost that is ::1 first still reaches a daemon on 127.0.0.1 (needs unshare -m, so root)",
  ignore: !canMount,
  async fn() {
    await using daemon = new FaultyDaemon();
    daemon.answer = () => ({ inject: "found", memoriesSaved: 0, queued: false });
    await using home = await SampleHome.make(`http://localhost:${daemon.port}`);
    await home.write("hosts", "::1 localhost\n127.0.0.1 localhost\n");
    const before = [...WITH_HOSTS, `${home.path}/hosts`];
    assertEquals((await home.hook("session-start", { stdin: START, before })).stdout, "found");
  },
});

async function acceptsPrivateCa(): Promise<void> {
  await using certificates = await makeCertificates();
  const { ca, cert, key } = certificates;
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, cert, key, onListen: () => {} },
    (request) =>
      Response.json({ inject: `key ${request.headers.get("authorization")}`, identity: { name: "Ada" } }),
  );
  await using home = await SampleHome.make(`https://localhost:${server.addr.port}`);
  const hook = (env: Record<string, string>) =>
    home.hook("session-start", { stdin: START, env: { SIGNET_API_KEY: "sig_sk_x", ...env } });
  assertEquals((await hook({ SSL_CERT_FILE: ca })).stdout, "key Bearer sig_sk_x");
  assertEquals((await hook({})).stdout, "");
  // A project with its own CA must not choose whom the hook trusts.
  const [dir, name] = [ca.slice(0, ca.lastIndexOf("/")), ca.slice(ca.lastIndexOf("/") + 1)];
  for (const variable of ["SSL_CERT_FILE", "DENO_CERT"]) {
    const env = { SIGNET_API_KEY: "sig_sk_x", [variable]: name };
    assertEquals((await home.hook("session-start", { stdin: START, env, cwd: dir })).stdout, "", variable);
  }
  assertEquals(home.outcomes("session-start"), ["ok", "offline", "offline", "offline"]);
}

Deno.test({
  name: "a certificate of a private CA in the system's store is accepted, and no other (needs openssl)",
  ignore: !isOnPath("openssl"),
  fn: acceptsPrivateCa,
});

Deno.test({
  name: "a hook speaks HTTP/1.1 to a daemon that offers HTTP/2 (needs openssl)",
  ignore: !isOnPath("openssl"),
  async fn() {
    await using certificates = await makeCertificates();
    const { ca, cert, key } = certificates;
    using listener = Deno.listenTls({
      hostname: "127.0.0.1",
      port: 0,
      cert,
      key,
      alpnProtocols: ["h2", "http/1.1"],
    });
    await using home = await SampleHome.make(`https://localhost:${listener.addr.port}`);
    const hook = home.hook("session-start", { stdin: START, env: { SSL_CERT_FILE: ca } });
    using conn = await listener.accept();
    const { alpnProtocol } = await conn.handshake();
    await conn.read(new Uint8Array(65_536));
    const body = JSON.stringify({ inject: `over ${alpnProtocol}`, identity: { name: "Ada" } });
    const head = ["HTTP/1.1 200 OK", "content-type: application/json", `content-length: ${body.length}`];
    await conn.write(new TextEncoder().encode(`${head.join("\r\n")}\r\n\r\n${body}`));
    assertEquals((await hook).stdout, "over http/1.1");
  },
});
