import { parse } from "@std/yaml";
import { type MockServer, serve } from "../../mock_daemon/mod.ts";
import { type Ran, type RunOptions, World } from "./world.ts";
import { DIST } from "./built.ts";

export const BINARY = `${DIST}/signet-pyagent`;
export const CONFIG_PATH = ".pyagent/config.yaml";

/** Two agents of one machine, each with a key that is bound to it. */
export const LAPTOP = {
  agent: "ana/laptop",
  key: "sig_sk_0123456789ab_dGVzdC1sYXB0b3Ata2V5LW5vdC1hLXNlY3JldDE",
};
export const SERVER = {
  agent: "ana/server",
  key: "sig_sk_ba9876543210_dGVzdC1zZXJ2ZXIta2V5LW5vdC1hLXNlY3JldDI",
};

/** A config as people have them: comments, an anchor, hooks of other tools, keys that nobody knows. */
export const CONFIG = `# My PyAgent set-up. Every line has a story.
model: gpt-5.4          # the big one
x-shared: &patient
  timeout: 30

hooks:
  on_session_start:
    - command: ./say-good-morning.sh   # mine; it was here first
      timeout: 2
  on_tool_call:
    - {command: "other-tool watch", <<: *patient}
  on_session_end:   # note the spacing
  - command: 'other-memory save'
    <<: *patient

tools:
    mcp_servers:
        other: {transport: stdio, command: other-mcp,  args: []}
x-unknown: [1,  2,   {deep: ~}]
theme:   {accent: teal,  bold: yes}    # unusual, on purpose
`;

/** A scratch home with that config, a mock daemon that wants keys, and the compiled connector. */
export class Scene implements AsyncDisposable {
  private constructor(readonly world: World, readonly daemon: MockServer) {}

  static async set(files: Record<string, string> = {}): Promise<Scene> {
    const world = await World.create({
      [CONFIG_PATH]: CONFIG,
      ".agents/AGENTS.md": "Answer briefly.\n",
      ".agents/skills/tidy/SKILL.md": "---\nname: tidy\n---\n",
      "proj/say-good-morning.sh": "#!/bin/sh\necho good morning\n",
      ...files,
    });
    await Deno.chmod(`${world.home}/proj/say-good-morning.sh`, 0o755);
    const daemon = serve({
      auth: "team",
      keys: [LAPTOP, SERVER].map(({ agent, key }) => ({
        key,
        name: agent,
        agentId: agent,
        scope: { agent },
      })),
      entities: { Heron: "Heron is the staging database; it is in the cellar." },
    });
    return new Scene(world, daemon);
  }

  signet(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
    return this.world.run(BINARY, args, options);
  }

  async install(...more: string[]): Promise<Ran> {
    const args = ["install", "--url", this.daemon.url, "--api-key-stdin", "--agent-id", LAPTOP.agent];
    const ran = await this.signet([...args, ...more], { input: LAPTOP.key });
    if (ran.code !== 0) throw new Error(`install exited ${ran.code}: ${ran.err}`);
    return ran;
  }

  async uninstall(...more: string[]): Promise<Ran> {
    const ran = await this.signet(["uninstall", "--yes", ...more]);
    if (ran.code !== 0) throw new Error(`uninstall exited ${ran.code}: ${ran.err}`);
    return ran;
  }

  /** Runs the hook commands of an event as the config has them, through a shell, as PyAgent does. */
  async fire(event: string, input: object, env: Record<string, string> = {}): Promise<Ran[]> {
    const document = parse(await this.world.read(CONFIG_PATH)) as {
      hooks?: Record<string, { command: string }[]>;
    };
    const ran: Ran[] = [];
    for (const { command } of document.hooks?.[event] ?? []) {
      if (!command.includes("signet")) continue;
      const cwd = `${this.world.home}/proj`;
      ran.push(await this.world.sh(command, { env, cwd, input: JSON.stringify(input) }));
    }
    return ran;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.daemon.shutdown();
    await this.world[Symbol.asyncDispose]();
  }
}
