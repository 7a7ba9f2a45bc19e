import { assertEquals, assertMatch } from "@std/assert";
import { isNewPlainHttp, plainHttpWarning } from "./plain_http.ts";

const REMOTE = "http://signet-home.example:3850";

Deno.test("plainHttpWarning() names what others can read", () => {
  assertEquals(plainHttpWarning({ url: "https://signet-home.example", apiKey: "k" }), undefined);
  assertEquals(plainHttpWarning({ url: "http://127.0.0.1:3850" }), undefined);
  assertMatch(plainHttpWarning({ url: REMOTE }) ?? "", /^PROMPTS ARE SENT OVER PLAIN HTTP/);
  assertMatch(plainHttpWarning({ url: REMOTE, apiKey: "k" }) ?? "", /^THE API KEY IS SENT OVER PLAIN HTTP/);
});

Deno.test("isNewPlainHttp() lets an existing install go on, and no new one begin", async () => {
  const home = await Deno.makeTempDir();
  try {
    const env: Record<string, string> = { HOME: home, SIGNET_DAEMON_URL: REMOTE };
    const host = { env: (name: string) => env[name], os: "linux" as const };
    const isNew = (url: string, insecureHttp = false) =>
      isNewPlainHttp({ harness: "pyagent", url, insecureHttp }, host);
    assertEquals(isNew(REMOTE), true, "the environment is no install");
    assertEquals(isNew(REMOTE, true), false);
    assertEquals(isNew("https://signet-home.example"), false);
    assertEquals(isNew("http://127.0.0.1:3850"), false);
    const dir = `${home}/.config/signet/connectors`;
    await Deno.mkdir(dir, { recursive: true });
    await Deno.writeTextFile(`${dir}/pyagent.json`, JSON.stringify({ url: REMOTE }), { mode: 0o600 });
    assertEquals(isNew(REMOTE), false);
    assertEquals(isNew("http://elsewhere.example:3850"), true);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});
