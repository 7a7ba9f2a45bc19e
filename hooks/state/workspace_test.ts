import { assertEquals } from "@std/assert";
import { findWorkspace, type WorkspaceQuery } from "./workspace.ts";

async function scratch() {
  const home = await Deno.makeTempDir();
  await Deno.mkdir(`${home}/.agents`);
  await Deno.mkdir(`${home}/.config/signet`, { recursive: true });
  await Deno.writeTextFile(
    `${home}/.config/signet/workspace.json`,
    JSON.stringify({ workspace: "~/fromjson" }),
  );
  return home;
}

Deno.test("findWorkspace() checks the flag, the environment, the settings, workspace.json, then ~/.agents", async () => {
  const home = await scratch();
  const env: Record<string, string> = { HOME: home, SIGNET_PATH: "/p", SIGNET_WORKSPACE: "/w/" };
  const query: WorkspaceQuery = {
    flag: "../rel/x",
    stored: "/stored",
    cwd: "/home/u/proj",
    host: { os: "linux", env: (name) => env[name] },
  };
  assertEquals(findWorkspace(query), { path: "/home/u/rel/x", from: "--workspace" });
  const unflagged = { ...query, flag: undefined };
  assertEquals(findWorkspace(unflagged), { path: "/p", from: "SIGNET_PATH" });
  delete env.SIGNET_PATH;
  assertEquals(findWorkspace(unflagged), { path: "/w", from: "SIGNET_WORKSPACE" });
  env.SIGNET_WORKSPACE = "";
  assertEquals(findWorkspace(unflagged), { path: "/stored", from: "settings" });
  assertEquals(findWorkspace({ ...unflagged, stored: "rel" })?.from, "workspace.json", "relative in a file");
  const unset = { ...unflagged, stored: undefined };
  assertEquals(findWorkspace(unset), { path: `${home}/fromjson`, from: "workspace.json" });
  for (const bad of ["{", "[]", '{"workspace":3}', '{"workspace":"relative"}', "null", '{"workspace":""}']) {
    await Deno.writeTextFile(`${home}/.config/signet/workspace.json`, bad);
    assertEquals(findWorkspace(unset), { path: `${home}/.agents`, from: "~/.agents" }, bad);
  }
  env.XDG_CONFIG_HOME = `${home}/xdg`;
  await Deno.mkdir(`${home}/xdg/signet`, { recursive: true });
  await Deno.writeTextFile(`${home}/xdg/signet/workspace.json`, '{"workspace":"/x"}');
  assertEquals(findWorkspace(unset), { path: "/x", from: "workspace.json" });
  await Deno.remove(`${home}/xdg/signet/workspace.json`);
  await Deno.remove(`${home}/.agents`);
  assertEquals(findWorkspace(unset), undefined);
  assertEquals(findWorkspace({ host: { os: "linux", env: () => undefined } }), undefined);
});
