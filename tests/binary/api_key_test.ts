import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { CONNECT, Connected } from "../worlds/connected.ts";

/** `api-key …` with the admin's key. */
function apiKey(place: Connected, ...args: string[]) {
  return place.connect(["api-key", ...args, "--url", place.url, "--api-key-stdin", "--mode", "admin"], {
    input: place.adminKey,
  });
}

Deno.test("signet-connect api-key create shows the key once, as a block and as JSON", async () => {
  await using place = await Connected.create();
  const asked = ["--connector", "pi", "--agent-id", "me/pi", "--project", "/home/u/proj", "--expires", "30d"];
  const made = await apiKey(place, "create", "--name", "work laptop pi", ...asked, "--quiet");
  assertEquals([made.code, made.err], [0, ""]);
  assertMatch(
    made.out,
    new RegExp(
      "^API key created:\\n\\n" +
        "  name: {6}work laptop pi\\n  id: {8}[0-9a-f-]{36}\\n  prefix: {4}(sig_sk_\\w+)\\n" +
        "  key: {7}\\1_[\\w-]{40,}\\n  role: {6}agent\\n  connector: pi\\n" +
        "  agent: {5}me/pi\\n  allows: {4}recall, remember, modify, forget, documents\\n" +
        "\\nSave this key now\\. It will not be shown again\\.\\n$",
    ),
  );
  const key = /key: +(\S+)/.exec(made.out)?.[1] ?? "";
  const json = await apiKey(place, "create", "--name", "ci", "--role", "readonly", "--json");
  const { role, connector, key: other } = JSON.parse(json.out);
  assertEquals([role, connector ?? null, other.startsWith("sig_sk_")], ["readonly", null, true]);

  const list = await apiKey(place, "list");
  assertEquals(list.code, 0);
  assertMatch(list.out, /^\w+ +work laptop pi +agent +pi +me\/pi +active +never$/m);
  assert(!list.out.includes(key) && !list.out.includes(other));
  const listed = JSON.parse((await apiKey(place, "list", "--json")).out).apiKeys;
  const days = (Date.parse(listed.find(({ name }: { name: string }) => name === "work laptop pi").expiresAt) -
    Date.now()) / 86_400_000;
  assert(days > 29.9 && days <= 30, `${days}`);
});

Deno.test("signet-connect api-key revoke: a hook with the key is refused from then on, and still exits 0", async () => {
  await using place = await Connected.create();
  assertEquals((await place.install(CONNECT, ["pyagent"])).code, 0);
  const works = await place.hook("pyagent");
  assertEquals(works.code, 0);
  const answered = () =>
    place.daemon.daemon.requests({ path: "/api/hooks/session-start" }).map(({ status }) => status);
  assertEquals(answered(), [200]);

  const keys = JSON.parse((await apiKey(place, "list", "--json")).out).apiKeys;
  const { prefix } = keys.find(({ name }: { name: string }) => name === "laptop");
  const unasked = await apiKey(place, "revoke", prefix);
  assertEquals(unasked.code, 1, "without a terminal nobody can say yes");
  assertStringIncludes(unasked.err, "Add --yes");
  const revoked = await apiKey(place, "revoke", prefix, "--yes");
  assertEquals([revoked.code, revoked.out], [0, `✓ Revoked ${prefix} (laptop)\n`]);
  assertMatch((await apiKey(place, "list")).out, /laptop .* revoked /);

  const refused = await place.hook("pyagent");
  assertEquals([refused.code, answered()], [0, [200, 401]]);
  const status = await place.connect(["status", "pyagent"]);
  assertEquals(status.code, 3);
  assertStringIncludes(status.err, "requires a valid API key (HTTP 401");
  assertMatch(status.out, /key rejected/);
  assertStringIncludes((await apiKey(place, "revoke", prefix, "--yes")).out, "was already revoked");
});

Deno.test("signet-connect api-key changes nothing without permission or with ambiguous arguments", async () => {
  await using place = await Connected.create();
  const { keys } = place.daemon.daemon.state;
  keys.create({ name: "second", role: "agent" });
  const before = JSON.stringify(keys.list());

  const ambiguous = await apiKey(place, "revoke", "sig_sk_", "--yes");
  assertEquals(ambiguous.code, 2);
  assertMatch(ambiguous.err, /✗ sig_sk_ matches 3 keys\.\n {2}- sig_sk_\w+ \(.*\), .*\(laptop\)/);
  assertStringIncludes(
    (await apiKey(place, "revoke", "nothing", "--yes")).err,
    "No key has the id or prefix",
  );
  const low = await place.connect(["api-key", "revoke", "sig_sk_", "--url", place.url]);
  assertEquals(low.code, 4);
  assertStringIncludes(low.err, "api-key revoke needs mode admin");
  for (const verb of [["create", "--name", "x"], ["list"], ["revoke", "sig_sk_", "--yes"]]) {
    const args = ["api-key", ...verb, "--mode", "admin", "--url", place.url, "--api-key-stdin"];
    const { code, err, out } = await place.connect(args, { input: place.key });
    assertEquals([code, out], [6, ""], verb.join(" "));
    assertStringIncludes(err, "(HTTP 403");
    assertStringIncludes(err, "Give an admin key");
  }
  for (const [expires, said] of [["soon", "neither a date nor"], ["2001-01-01", "in the past"]] as const) {
    const { code, err } = await apiKey(place, "create", "--name", "x", "--expires", expires);
    assertEquals(code, 2);
    assertStringIncludes(err, said);
  }
  const plain = (text: string) => text.replaceAll(/"lastUsedAt":("[^"]*"|null)/g, "");
  assertEquals(plain(JSON.stringify(keys.list())), plain(before));
});
