import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { makeCertificates } from "../../../tests/worlds/certificates.ts";
import { UserError } from "../../base/cli/command.ts";
import { isOnPath } from "../../base/testing/on_path.ts";
import { downloadFrom } from "./download.ts";

/** A loopback server whose answers are redirects or text, by path. */
function serve(answers: Record<string, string>, tls: { key?: string; cert?: string } = {}) {
  const asked: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {}, ...tls }, (request) => {
    const { pathname } = new URL(request.url);
    asked.push(pathname);
    const answer = answers[pathname] ?? "";
    return answer.startsWith("->")
      ? new Response(null, { status: 302, headers: { location: answer.slice(2) } })
      : new Response(answer);
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    asked,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

Deno.test("downloadFrom() follows redirects that are safe", async () => {
  await using server = serve({ "/r/a": "->/s/b", "/s/b": "->../t/c", "/t/c": "text" });
  const read = downloadFrom(`${server.url}/r`, false);
  assertEquals(new TextDecoder().decode(await read("a")), "text");
  assertEquals(server.asked, ["/r/a", "/s/b", "/t/c"]);
});

Deno.test("downloadFrom() checks every redirect before it requests the address", async () => {
  const cases: [string, string][] = [
    ["->http://release.example/x", "is plain HTTP to another machine"],
    ["->https://me:secret@127.0.0.1/x", "is neither an http(s) URL nor a directory"],
    ["->file:///etc/passwd", "is neither an http(s) URL nor a directory"],
    ["->/r/a", "redirects more than 10 times"],
  ];
  for (const [answer, message] of cases) {
    await using server = serve({ "/r/a": answer });
    await assertRejects(() => downloadFrom(`${server.url}/r`, false)("a"), UserError, message);
  }
});

Deno.test({
  name: "downloadFrom() does not follow a redirect from https to http, even to this machine (needs openssl)",
  ignore: !isOnPath("openssl"),
  async fn() {
    await using plain = serve({ "/a": "text" });
    await using certificates = await makeCertificates();
    const { ca, cert, key } = certificates;
    await using safe = serve({ "/a": `->${plain.url}/a`, "/b": "text" }, { cert, key });
    // In a process of its own, which trusts the certificate.
    const module = new URL("./download.ts", import.meta.url).href;
    const script = `import { downloadFrom } from "${module}";
      const read = downloadFrom("${safe.url.replace("http", "https")}", true);
      console.log(new TextDecoder().decode(await read("b")));
      await read("a").catch((error) => console.log(error.message));`;
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["eval", script],
      env: { SSL_CERT_FILE: ca },
    }).output();
    const [first, second = ""] = new TextDecoder().decode(stdout).split("\n");
    assertEquals(first, "text", new TextDecoder().decode(stderr));
    assertStringIncludes(second, "redirects from https to http://127.0.0.1");
    assertEquals(plain.asked, []);
  },
});
