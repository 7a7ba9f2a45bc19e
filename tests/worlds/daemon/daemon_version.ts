import { type MockServer, newKey, type ProfileName, serve } from "../../../mock_daemon/mod.ts";
import { CONNECT } from "../connected.ts";
import { type Ran, type RunOptions, World } from "../world.ts";

/** The agent of these tests, and another one at the same daemon. */
export const ANA = "ana";
export const BOB = "bob";

export const ADMIN_PASSWORD = "open sesame";

/** A conversation that is long enough for every daemon to keep. */
export const TURNS = Array.from({ length: 4 }, (_, turn) => [
  `Question ${turn}: how does part ${turn} of the "Zephyr" importer read its configuration file?`,
  `Answer ${turn}: it reads the file once at start, checks each field and keeps the parsed value.`,
]).flat();

/** The conversation as a daemon keeps it. */
export const KEPT = TURNS.map((turn, i) => `${i % 2 === 0 ? "User" : "Assistant"}: ${turn}`);

/** What each harness has on disk, or sends, of the conversation. */
export const TRANSCRIPTS: Record<string, (turn: string, role: "user" | "assistant") => unknown> = {
  "claude-code": (content, role) => ({ type: role, message: { role, content }, uuid: crypto.randomUUID() }),
  codex: (text, role) => ({
    type: "response_item",
    payload: {
      type: "message",
      role,
      content: [{ type: role === "user" ? "input_text" : "output_text", text }],
    },
  }),
  pyagent: (content, role) => ({ role, content }),
};

/** A home with three harnesses, and a daemon as one version of Signet is. */
export class DaemonVersion implements AsyncDisposable {
  private constructor(
    readonly profile: ProfileName,
    readonly world: World,
    readonly daemon: MockServer,
    readonly adminKey: string,
  ) {}

  static async create(profile: ProfileName): Promise<DaemonVersion> {
    const world = await World.create({
      ".pyagent/config.yaml": "model: local\n",
      ".claude/settings.json": "{}\n",
      ".codex/config.toml": "",
      "proj/README.md": "",
    });
    const adminKey = newKey();
    // 0.58 has no API keys, so its connectors run with the default mode.
    const daemon = serve({
      profile,
      auth: profile === "0.58" ? "local" : "team",
      adminKey,
      admin: { username: "root", password: ADMIN_PASSWORD },
    });
    return new DaemonVersion(profile, world, daemon, adminKey);
  }

  get url(): string {
    return this.daemon.url;
  }

  get hasKeys(): boolean {
    return this.profile !== "0.58";
  }

  key(agent: string, connector?: string): string {
    const { key } = this.daemon.daemon.state.keys.create({
      name: agent,
      role: "agent",
      scope: { agent },
      agentId: agent,
      connector,
    });
    return key ?? "";
  }

  connect(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
    return this.world.run(CONNECT, args, options);
  }

  install(harness: string, key: string, ...more: string[]): Promise<Ran> {
    const args = ["install", harness, "--url", this.url, "--agent-id", ANA, "--api-key-stdin", ...more];
    return this.connect(args, { input: key });
  }

  hook(harness: string, event: string, input: Record<string, unknown>): Promise<Ran> {
    const cwd = `${this.world.home}/proj`;
    // The daemons treat projects below /tmp as noise.
    const stdin = { cwd: "/home/u/proj", hook_event_name: event, ...input };
    return this.connect(["hook", event, "-H", harness], { cwd, input: JSON.stringify(stdin) });
  }

  /** Calls tools of the connector's MCP server, and returns the text of each answer. */
  async tools(harness: string, calls: readonly [string, Record<string, unknown>][]): Promise<string[]> {
    const messages = [
      {
        id: "init",
        method: "initialize",
        params: {
          protocolVersion: "2025-06-18",
          capabilities: {},
          clientInfo: { name: "test", version: "1" },
        },
      },
      { method: "notifications/initialized" },
      { id: "list", method: "tools/list" },
      ...calls.map(([name, args], id) => ({ id, method: "tools/call", params: { name, arguments: args } })),
    ];
    const input = messages.map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n").join("");
    const { out, err } = await this.connect(["mcp", "-H", harness], { input });
    const answers = new Map(
      out.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line)).map((
        each,
      ) => [each.id, each]),
    );
    const listed = answers.get("list")?.result.tools.map(({ name }: { name: string }) => name).join(" ") ??
      err;
    return [listed, ...calls.map((_, id) => String(answers.get(id)?.result?.content?.[0]?.text))];
  }

  /** How a harness hands over the conversation: as a file, or in the event. */
  async conversation(harness: string): Promise<Record<string, unknown>> {
    const items = TURNS.map((turn, i) => TRANSCRIPTS[harness]?.(turn, i % 2 === 0 ? "user" : "assistant"));
    if (harness === "pyagent") return { transcript: items };
    // Claude Code keeps its transcripts here, and a path elsewhere is another program's.
    const path = `.${harness}/projects/proj/session.jsonl`;
    await this.world.write(path, items.map((item) => JSON.stringify(item)).join("\n"));
    return { transcript_path: `${this.world.home}/${path}` };
  }

  /** What the daemon has kept of a session. */
  async kept(session: string): Promise<string> {
    const response = await fetch(`${this.url}/__mock/kept?session=${session}`);
    return String((await response.json()).content);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.daemon.shutdown();
    await this.world[Symbol.asyncDispose]();
  }
}
