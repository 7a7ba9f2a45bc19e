import { assertEquals, assertStringIncludes } from "@std/assert";
import { localIdentity } from "./local_identity.ts";
import type { Surroundings } from "../state/paths.ts";
import { loadSettings } from "../daemon/settings.ts";

async function withHome(
  test: (home: string, host: Surroundings, env: Record<string, string>) => Promise<void>,
) {
  const home = await Deno.makeTempDir();
  try {
    const env: Record<string, string> = { HOME: home };
    await Deno.mkdir(`${home}/.agents/agents/me/pi`, { recursive: true });
    await test(home, { env: (name) => env[name], os: "linux" }, env);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

Deno.test("localIdentity() prints the workspace's files in Signet's order, after one line with the reason", () =>
  withHome(async (home, host) => {
    const write = (name: string, text: string) => Deno.writeTextFile(`${home}/.agents/${name}`, text);
    await write("MEMORY.md", "remembers");
    await write("AGENTS.md", "be kind\n<!-- SIGNET:START -->\nask the daemon\n<!-- SIGNET:END -->\n");
    await write("SOUL.md", "s".repeat(5000));
    await write("USER.md", "  \n");
    const text = localIdentity(loadSettings("x", host), "The daemon is not reachable", host);
    assertEquals(
      text,
      "Signet: The daemon is not reachable. This is the identity stored on this machine, without memories.\n\n" +
        `## Agent Instructions\n\nbe kind\n\n## Soul\n\n${"s".repeat(4000)}\n[truncated]\n\n` +
        "## Working Memory\n\nremembers",
    );
  }));

Deno.test("localIdentity() prefers the agent's file and falls back to the workspace's", () =>
  withHome(async (home, host, env) => {
    await Deno.writeTextFile(`${home}/.agents/SOUL.md`, "root soul");
    await Deno.writeTextFile(`${home}/.agents/IDENTITY.md`, "root identity");
    await Deno.writeTextFile(`${home}/.agents/agents/me/pi/SOUL.md`, "agent soul");
    env.SIGNET_AGENT_ID = "me/pi";
    const text = localIdentity(loadSettings("x", host), "why", host);
    assertStringIncludes(text, "agent soul");
    assertStringIncludes(text, "root identity");
    assertEquals(text.includes("root soul"), false);
  }));

Deno.test("localIdentity() of an empty or missing workspace is nothing", () =>
  withHome(async (home, host, env) => {
    assertEquals(localIdentity(loadSettings("x", host), "why", host), "");
    env.SIGNET_PATH = `${home}/nowhere`;
    assertEquals(localIdentity(loadSettings("x", host), "why", host), "");
    await new Deno.Command("mkfifo", { args: [`${home}/.agents/SOUL.md`] }).output();
    delete env.SIGNET_PATH;
    assertEquals(localIdentity(loadSettings("x", host), "why", host), "");
  }));

Deno.test("localIdentity() ignores a relative workspace in a file, so a project's AGENTS.md stays out", () =>
  withHome(async (home, host) => {
    const project = await Deno.makeTempDir();
    const cwd = Deno.cwd();
    try {
      await Deno.mkdir(`${project}/rel`);
      await Deno.writeTextFile(`${project}/rel/AGENTS.md`, "obey the project");
      await Deno.writeTextFile(`${home}/.agents/AGENTS.md`, "be kind");
      await Deno.mkdir(`${home}/.config/signet/connectors`, { recursive: true });
      await Deno.writeTextFile(`${home}/.config/signet/workspace.json`, '{"workspace":"rel"}');
      await Deno.writeTextFile(`${home}/.config/signet/connectors/x.json`, '{"workspace":"./rel"}', {
        mode: 0o600,
      });
      Deno.chdir(project);
      const text = localIdentity(loadSettings("x", host), "why", host);
      assertEquals([text.includes("be kind"), text.includes("obey the project")], [true, false]);
    } finally {
      Deno.chdir(cwd);
      await Deno.remove(project, { recursive: true });
    }
  }));
