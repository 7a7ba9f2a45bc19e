import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { HANG_MS, until } from "../connectors/base/testing/until.ts";
import { programArgs } from "./worlds/programs.ts";
import { World } from "./worlds/world.ts";

/** Where this process has its modules, for a home that has none. */
const CACHE = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
const IDENTITY = ".pyagent/identity/AGENTS.md";

async function world(files: Record<string, string> = {}): Promise<World> {
  const w = await World.create({ ".pyagent/config.yaml": "hooks: {}\n", ...files });
  const { code, err } = await signet(w, "install", "--yes", "--url", "http://127.0.0.1:9");
  assertEquals(code, 0, err);
  return w;
}

function signet(w: World, ...args: string[]) {
  return w.run(Deno.execPath(), [...programArgs("connectors/pyagent/main.ts"), ...args], {
    env: { DENO_DIR: CACHE },
  });
}

const workspace = {
  ".agents/AGENTS.md": "# Be kind\n",
  ".agents/SOUL.md": "calm\n",
  ".agents/skills/tidy/SKILL.md": "---\nname: tidy\n---\n",
};

Deno.test("sync after install, after edits of the sources and of the generated file, and uninstall", async () => {
  await using w = await world(workspace);
  assertStringIncludes(await w.read(IDENTITY), "## Soul\n\ncalm\n");
  assertStringIncludes(await w.read(".pyagent/skills/tidy/SKILL.md"), "name: tidy");
  assertMatch((await signet(w, "sync")).out, /is up to date/);

  await w.write(".agents/SOUL.md", "curious\n");
  const before = await w.snapshot();
  assertStringIncludes((await signet(w, "sync", "--dry-run")).out, "-calm\n+curious\n");
  assertEquals(await w.snapshot(), before);
  await signet(w, "sync");
  assertStringIncludes(await w.read(IDENTITY), "curious");

  await w.write(IDENTITY, await w.read(IDENTITY) + "my line\n");
  await Deno.remove(`${w.home}/.agents/skills/tidy`, { recursive: true });
  const report = JSON.parse((await signet(w, "sync", "--json")).out);
  assertEquals(report.changes.map(({ kind }: { kind: string }) => kind), ["keep", "write", "unlink"]);
  assertStringIncludes(await w.read(`${IDENTITY}.edited`), "my line");

  // Edited since the last sync: uninstall must not remove the user's text.
  await w.write(IDENTITY, await w.read(IDENTITY) + "another line\n");
  assertMatch((await signet(w, "uninstall", "--yes")).err, /was edited after the install and was kept/);
  const left = [...(await w.snapshot()).keys()].filter((path) => path.startsWith("/.pyagent/"));
  assertEquals(left, [
    "/.pyagent/config.yaml",
    "/.pyagent/identity",
    "/.pyagent/identity/AGENTS.md",
    "/.pyagent/identity/AGENTS.md.edited",
  ]);
  assertEquals((await signet(w, "sync")).code, 1);
});

Deno.test({
  name: "sync --service: shown, written, kept by a second install, removed by uninstall",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using w = await world(workspace);
    const unit = ".config/systemd/user/signet-pyagent-sync.service";
    const before = await w.snapshot();
    assertStringIncludes((await signet(w, "sync", "--service", "--dry-run")).out, "+ExecStart=");
    assertEquals(await w.snapshot(), before);
    assertStringIncludes((await signet(w, "sync", "--service", "--yes")).out, "systemctl --user start");
    await signet(w, "install", "--yes");
    assertStringIncludes(await w.read(unit), `"${w.home}/.local/bin/signet-pyagent" "sync" "--watch"`);
    await signet(w, "uninstall", "--yes");
    assert(![...(await w.snapshot()).keys()].some((path) => path.includes("signet-pyagent-sync")));
  },
});

Deno.test({
  name:
    "sync --watch follows a workspace that appears, ends on SIGTERM, and restores nothing after uninstall",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using w = await world();
    await using child = new Deno.Command(Deno.execPath(), {
      args: [...programArgs("connectors/pyagent/main.ts"), "sync", "--watch"],
      env: { HOME: w.home, PATH: "/usr/bin:/bin", DENO_DIR: CACHE },
      clearEnv: true,
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    const printed = async (words: string) => {
      // Without this limit a changed message would hang the test instead of failing it.
      const limit = setTimeout(() => child.kill("SIGKILL"), HANG_MS);
      for (let text = ""; !text.includes(words);) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`The watch ended without printing ${JSON.stringify(words)}.`);
        text += value;
      }
      clearTimeout(limit);
    };
    await printed("Watching");
    await w.write(".agents/SOUL.md", "calm\n");
    await until("the identity is written", async () => {
      return (await w.read(IDENTITY).catch(() => "")).includes("calm");
    });
    await printed("Updated");
    await signet(w, "uninstall", "--yes");
    await w.write(".agents/SOUL.md", "curious\n");
    child.kill("SIGTERM");
    while (!(await reader.read()).done);
    assertEquals((await child.status).code, 0);
    assert(![...(await w.snapshot()).keys()].includes(`/${IDENTITY}`));
  },
});
