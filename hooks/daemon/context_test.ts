import { assertEquals, assertNotEquals } from "@std/assert";
import { requestContext } from "./context.ts";
import type { Settings } from "./settings.ts";

const SETTINGS: Settings = {
  harness: "pi",
  url: "http://127.0.0.1:3850",
  agentId: "me/pi",
  connectorId: "c1",
  machineId: "m1",
  apiKey: "sig_sk_secret",
  insecureHttp: false,
  options: {},
  sources: { url: "default", agentId: "default" },
};

Deno.test("requestContext() describes the caller without secrets", async () => {
  const git = { root: "/p", remote: "git@example.com:me/p" };
  const context = await requestContext(
    SETTINGS,
    { cwd: "/p/src", sessionKey: "s" },
    () => git,
  );
  const { project, ...who } = context;
  assertEquals(who, {
    harness: "pi",
    connectorId: "c1",
    agentId: "me/pi",
    machineId: "m1",
    sessionKey: "s",
    workspace: undefined,
  });
  assertEquals([project?.cwd, project?.gitRoot, project?.gitRemote], [
    "/p/src",
    "/p",
    "git@example.com:me/p",
  ]);
  assertEquals(JSON.stringify(context).includes("secret"), false);
});

Deno.test("requestContext() has one fingerprint per repository", async () => {
  const at = (cwd: string, root?: string) =>
    requestContext(SETTINGS, { cwd }, () => root === undefined ? undefined : { root });
  const [a, b, c] = [await at("/p/a", "/p"), await at("/p/b", "/p"), await at("/q")];
  assertEquals(a.project?.fingerprint, b.project?.fingerprint);
  assertNotEquals(a.project?.fingerprint, c.project?.fingerprint);
  assertEquals((await at("")).project, undefined);
});
