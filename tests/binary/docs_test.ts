import { assertEquals } from "@std/assert";
import { type MockServer, newKey, serve } from "../../mock_daemon/mod.ts";
import { Tmux } from "../worlds/tmux.ts";
import { type Ran, World } from "../worlds/world.ts";
import { VERSION } from "../../hooks/daemon/version.ts";
import { sha256, sha256File } from "../../scripts/build/sha256.ts";
import { hostTarget } from "../../scripts/build/targets.ts";
import { stampInstaller } from "../../scripts/release.ts";
import { DIST, ROOT } from "../worlds/built.ts";
import { marks, missingLines, runnable } from "../worlds/doc_blocks.ts";

const DOCUMENTS = [
  "README.md",
  "CONTRIBUTING.md",
  ...[...Deno.readDirSync(`${ROOT}/docs`)].map(({ name }) => `docs/${name}`).filter((path) =>
    path.endsWith(".md")
  ).sort(),
];

/** The daemons that documents name; here they are the mock. */
const DAEMONS = /https?:\/\/(?:127\.0\.0\.1|signet-home\.tailnet):3850/g;

/** The release that documents name; here it is dist/, served. */
const RELEASE = /https:\/\/downloads\.example\/signet\/v[\d.]+/g;

function serveRelease() {
  const label = hostTarget().label;
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    const { origin, pathname } = new URL(request.url);
    if (pathname === "/install.sh") {
      const script = await Deno.readTextFile(`${ROOT}/scripts/install.sh`);
      return new Response(stampInstaller(script, { default_base_url: origin, release_key: "" }));
    }
    const manifest = JSON.stringify({ version: VERSION, binaries: [] });
    if (pathname === "/release.json") return new Response(manifest);
    if (pathname !== "/SHA256SUMS") {
      return new Response((await Deno.open(`${DIST}${pathname.replace(`-${label}`, "")}`)).readable);
    }
    const lines = ["signet-connect", "signet-pyagent"].map(async (name) =>
      `${await sha256File(`${DIST}/${name}`)}  ${name}-${label}\n`
    );
    const described = `${await sha256(new TextEncoder().encode(manifest))}  release.json\n`;
    return new Response((await Promise.all(lines)).join("") + described);
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** A new user's home: PyAgent, Claude Code and a Signet workspace are there, a key is in key.txt, the daemon's own key in admin.key. */
async function reader(): Promise<{ world: World; daemon: MockServer }> {
  const [admin, key] = [newKey(), newKey()];
  const agent = "work-laptop";
  const daemon = serve({
    auth: "team",
    adminKey: admin,
    keys: [{ key, name: "doc", agentId: agent, scope: { agent } }],
  });
  const world = await World.create({
    ".pyagent/config.yaml": "model: gpt-5.4\n",
    ".agents/AGENTS.md": "Answer briefly.\n",
    "bin/claude": "#!/bin/sh\necho '2.1.325 (Claude Code)'\n",
  });
  await Deno.chmod(`${world.home}/bin/claude`, 0o755);
  await world.write("admin.key", `${admin}\n`, 0o600);
  await world.write("key.txt", `${key}\n`, 0o600);
  await Deno.mkdir(`${world.root}/path`);
  for (const { name } of Deno.readDirSync(DIST)) {
    // A link, so that the program counts as a download and not as one in its place.
    if (/^signet-[a-z-]+$/.test(name)) {
      await Deno.symlink(`${DIST}/${name}`, `${world.root}/path/${name}`);
    }
  }
  return { world, daemon };
}

/** Runs commands in a terminal, and answers the questions of setup as the document shows. */
async function answerSetup(world: World, commands: string, path: string, url: string): Promise<Ran> {
  await Deno.writeTextFile(`${world.root}/commands.sh`, commands);
  const { root, home } = world;
  await using terminal = await Tmux.start(`sh -eu ${root}/commands.sh`, { dir: root, home, path });
  const answers: [string, string][] = [
    ["Where is your Signet daemon?", url],
    ["API key", (await world.read("key.txt")).trim()],
    ["Agent id", ""],
    ["Which harnesses", ""],
    ["message each other?", "n"],
    ["Write these changes", ""],
  ];
  for (const [question, answer] of answers) {
    await terminal.sees(question);
    await terminal.type(answer);
    await terminal.press("Enter");
  }
  await terminal.sees("Press Enter to skip");
  const input = JSON.stringify({ session_id: "hello", cwd: "/home/u/proj" });
  await world.run(`${home}/.local/bin/signet-connect`, ["hook", "session-start", "-H", "claude-code"], {
    input,
  });
  const out = await terminal.sees("ended with");
  return { code: Number(/ended with (\d+)/.exec(out)?.[1]), out, err: "" };
}

for (const path of DOCUMENTS) {
  const text = Deno.readTextFileSync(`${ROOT}/${path}`);
  const blocks = runnable(text);
  if (marks(text) === 0) continue;

  Deno.test(`${path}: fences marked to run do run, and print what the document shows`, async (t) => {
    assertEquals(blocks.length, marks(text), "a run mark comes before a sh fence");
    await using release = serveRelease();
    const { world, daemon } = await reader();
    try {
      const path = `${world.home}/.local/bin:${world.home}/bin:${world.root}/path:/usr/bin:/bin`;
      for (const { name, line, script, terminal, transcript } of blocks) {
        await t.step(`line ${line}: ${name}`, async () => {
          const commands = script.replace(DAEMONS, daemon.url).replace(RELEASE, release.url);
          const ran = terminal
            ? await answerSetup(world, commands, path, daemon.url)
            : await world.run("sh", ["-euc", commands], {
              env: { PATH: path, SIGNET_DAEMON_URL: daemon.url },
            });
          const output = (ran.out + ran.err).replaceAll(world.root, "");
          assertEquals(ran.code, 0, output);
          if (transcript) assertEquals(missingLines(transcript, output), [], output);
        });
      }
    } finally {
      await daemon.shutdown();
      await world[Symbol.asyncDispose]();
    }
  });
}

Deno.test("runnable() takes marked fences only, with the transcript below", () => {
  const text =
    "<!-- run: a -->\n\n```sh\necho 1\n```\n\n```\n1\n```\n\n```sh\nrm -rf /\n```\n\n<!-- run in a terminal: b c -->\n```sh\ntrue\n```\n\nText.\n\n<!-- shows: b c -->\n```\n2\n```\n";
  assertEquals(runnable(text), [
    { name: "a", terminal: false, line: 3, script: "echo 1\n", transcript: "1\n" },
    { name: "b c", terminal: true, line: 16, script: "true\n", transcript: "2\n" },
  ]);
});

Deno.test("missingLines() ignores what differs from run to run and nothing else", () => {
  const shown =
    "✓ at http://127.0.0.1:3850 in 12 ms\n  key: sig_sk_ab_…\n  id: b99266d9-e1c1-4685-9ce5-174baec32804\n";
  const said =
    "✓ at http://127.0.0.1:41 in 7 ms\n  key: sig_sk_cdef01_x\n  id: 00000000-e1c1-4685-9ce5-174baec32804\n";
  assertEquals(missingLines(shown, said), []);
  assertEquals(missingLines("✓ connected\n", "✗ not connected\n"), ["✓ connected"]);
});
