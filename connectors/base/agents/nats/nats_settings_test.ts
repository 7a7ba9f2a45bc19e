import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { ScratchHome } from "../../testing/scratch_home.ts";
import type { Surroundings } from "../../../../hooks/state/paths.ts";
import { clearAgents } from "../clear_agents.ts";
import { accessPath, natsSettings, storeAccess } from "./nats_settings.ts";

const URL_A = "nats://127.0.0.1:4222";
const URL_B = "tls://bus.example:4222";

async function home(transport?: string): Promise<{ root: ScratchHome; host: Surroundings; path: string }> {
  const root = new ScratchHome(await ScratchHome.makeRoot());
  const host: Surroundings = { env: (name) => name === "HOME" ? root.path : undefined, os: Deno.build.os };
  if (transport !== undefined) await root.write(".config/signet/agents.yaml", `transport: ${transport}\n`);
  return { root, host, path: accessPath(host) ?? "" };
}

Deno.test("natsSettings() gives a login to the server that it was stored for, and to no other", async () => {
  const { root, host, path } = await home(URL_A);
  await using _root = root;
  assertEquals(natsSettings(host)?.login, undefined);
  storeAccess(host, URL_A, { login: { user: "u", password: "p" } });
  storeAccess(host, URL_A, { login: { token: "t" }, agentId: "bob" });
  storeAccess(host, URL_B, { login: { seed: "SU" }, ca: "PEM" });
  const here = natsSettings(host);
  assertEquals([here?.login, here?.agents, here?.ca, here?.tls], [
    { user: "u", password: "p" },
    { bob: { token: "t" } },
    undefined,
    false,
  ]);
  await root.write(".config/signet/agents.yaml", `transport: ${URL_B}\n`);
  const there = natsSettings(host);
  assertEquals([there?.login, there?.agents, there?.ca, there?.tls], [{ seed: "SU" }, {}, "PEM", true]);
  if (Deno.build.os !== "windows") assertEquals((Deno.statSync(path).mode ?? 0) & 0o777, 0o600);
});

Deno.test("natsSettings() needs TLS between machines unless the user allows plain text", async () => {
  const { root, host } = await home("nats://bus.example");
  await using _root = root;
  assertEquals(natsSettings(host)?.tls, true);
  storeAccess(host, "nats://bus.example", { plain: true });
  assertEquals(natsSettings(host)?.tls, false);
});

Deno.test("natsSettings() names what is wrong with its file, and storeAccess() does not overwrite it", async () => {
  const { root, host, path } = await home(URL_A);
  await using _root = root;
  await root.write(".config/signet/nats.json", "{not json", 0o600);
  assertMatch(natsSettings(host)?.problem ?? "", /nats\.json is not JSON; remove it and log in again/);
  assertThrows(() => storeAccess(host, URL_A, { login: { token: "t" } }), Error, "is not JSON");
  assertEquals(Deno.readTextFileSync(path), "{not json");
  for (
    const text of ["[]", "{}", '{"servers":1}', '{"servers":{"nats://127.0.0.1:4222":{"login":{"user":1}}}}']
  ) {
    await root.write(".config/signet/nats.json", text, 0o600);
    assertEquals(natsSettings(host)?.login, undefined, text);
  }
});

Deno.test("clearAgents() removes the logins with the last harness, unless they are kept", async () => {
  const { root, host, path } = await home();
  await using _root = root;
  storeAccess(host, URL_A, { login: { token: "t" } });
  await clearAgents("codex", host, { keepConfig: true });
  assertEquals(Deno.statSync(path).isFile, true);
  await clearAgents("codex", host);
  assertEquals([...Deno.readDirSync(`${root.path}/.config/signet`)], []);
});
