import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { CONNECT, Connected } from "../worlds/connected.ts";
import { Tmux } from "../worlds/tmux.ts";

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
        "  name: {6}work laptop pi\\n  id: {8}key_[\\w-]+\\n  prefix: {4}(\\w+)\\n" +
        "  key: {7}sig_sk_\\1_[\\w-]{40,}\\n  role: {6}agent\\n  connector: pi\\n" +
        "  agent: {5}me/pi\\n  allows: {4}remember, recall, modify, forget, documents\\n" +
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
  const listed = JSON.parse((await apiKey(place, "list", "--json")).out).api_keys;
  const days =
    (Date.parse(listed.find(({ name }: { name: string }) => name === "work laptop pi").expires_at) -
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

  const keys = JSON.parse((await apiKey(place, "list", "--json")).out).api_keys;
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

  const ambiguous = await apiKey(place, "revoke", "key_", "--yes");
  assertEquals(ambiguous.code, 2);
  // Keys of the same millisecond come in any order.
  assertMatch(ambiguous.err, /✗ key_ matches 3 keys\.\n {2}- \w+ \(.*\), \w+ \(.*\), \w+ \(.*\)\n/);
  for (const name of ["first admin", "laptop", "second"]) assertStringIncludes(ambiguous.err, `(${name})`);
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

Deno.test("signet-connect api-key create --out writes a private file, and its next step works as printed", async () => {
  await using place = await Connected.create();
  const create = ["create", "--name", "laptop pyagent", "--connector", "pyagent", "--agent-id", "me/py"];
  const { code, out, err } = await apiKey(place, ...create, "--out", "my key.txt");
  assertEquals([code, err], [0, ""]);
  assert(!/sig_sk_\w+_/.test(out), "the key is in the file only");
  assertMatch(out, /^ {2}key: {7}in my key\.txt$/m);
  const key = await place.world.read("my key.txt");
  assertMatch(key, /^sig_sk_\w+_\S+\n$/);
  assertEquals((Deno.statSync(`${place.world.home}/my key.txt`).mode ?? 0) & 0o777, 0o600);

  const next = /run: (signet-connect install .*)$/m.exec(out)?.[1] ?? "";
  const pasted = await place.world.sh(next.replace("signet-connect", CONNECT));
  assertEquals([pasted.code, pasted.err], [0, ""], next);
  assertMatch(pasted.out, /✓ Connected PyAgent to \S+ as agent me\/py/);

  const again = await apiKey(place, ...create, "--out", "my key.txt");
  assertEquals([again.code, await place.world.read("my key.txt")], [2, key], "a key is not overwritten");
  const failed = await place.connect(
    ["api-key", ...create, "--mode", "admin", "--url", place.url, "--api-key-stdin", "--out", "none.txt"],
    { input: place.key },
  );
  assertEquals(failed.code, 6);
  assertEquals(await place.world.sh("ls none.txt 2>&1").then(({ code }) => code === 0), false);
});

Deno.test("a key file that others can read is a warning with the command that fixes it", async () => {
  await using place = await Connected.create({ "key.txt": "" });
  await place.world.write("key.txt", `${place.key}\n`, 0o644);
  const install = ["install", "pyagent", "--url", place.url, "--api-key-file", "key.txt"];
  const shared = await place.connect(install);
  assertEquals(shared.code, 0);
  assertStringIncludes(shared.err, "! Other users can read the key file key.txt.\n");
  const fix = /run: (chmod .*)$/m.exec(shared.err)?.[1] ?? "";
  assertEquals((await place.world.sh(fix)).code, 0);
  assertEquals((await place.connect(install)).err, "");
});

Deno.test("--api-key-stdin asks on a terminal, and does not show the key", async () => {
  await using place = await Connected.create();
  const { root, home } = place.world;
  const command = `${CONNECT} install pyagent --url ${place.url} --api-key-stdin`;
  await using terminal = await Tmux.start(command, { dir: root, home, path: "/usr/bin:/bin" });
  await terminal.sees("API key");
  await terminal.type(place.key);
  await terminal.press("Enter");
  const ended = await terminal.sees("ended with 0");
  assertStringIncludes(ended, "✓ Connected PyAgent");
  assert(!ended.includes(place.key));
});
