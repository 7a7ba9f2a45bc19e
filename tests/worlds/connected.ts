import { type MockServer, newKey, serve } from "../../mock_daemon/mod.ts";
import { type Ran, type RunOptions, World } from "./world.ts";
import { DIST } from "./built.ts";

export const CONNECT = `${DIST}/signet-connect`;
export const PYAGENT = `${DIST}/signet-pyagent`;

/** A home with harnesses in use, and a daemon that asks everyone for a key. */
export class Connected implements AsyncDisposable {
  #away = false;

  private constructor(
    readonly world: World,
    readonly daemon: MockServer,
    readonly adminKey: string,
    /** A key for agents. */
    readonly key: string,
  ) {}

  static async create(files: Record<string, string> = {}): Promise<Connected> {
    const world = await World.create({
      ".pyagent/config.yaml": "# mine\nmodel: local   # keep\n",
      ".claude/settings.json": '{\n  "model":   "opus"\n}\n',
      ...files,
    });
    const adminKey = newKey();
    const daemon = serve({ auth: "team", adminKey });
    const { key } = daemon.daemon.state.keys.create({ name: "laptop", role: "agent" });
    return new Connected(world, daemon, adminKey, key ?? "");
  }

  get url(): string {
    return this.daemon.url;
  }

  /** signet-connect as at a plain terminal. */
  connect(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
    return this.world.run(CONNECT, args, options);
  }

  install(binary: string, names: readonly string[], ...more: string[]): Promise<Ran> {
    const credentials = ["--url", this.url, "--api-key-stdin", "--agent-id", "me/laptop"];
    return this.world.run(binary, ["install", ...names, ...credentials, ...more], { input: this.key });
  }

  /** What is in ~/.local/bin: `signet-connect`, `signet-pi -> signet-connect`. */
  async programs(): Promise<string[]> {
    const dir = `${this.world.home}/.local/bin`;
    const names = await Array.fromAsync(
      Deno.readDir(dir),
      async ({ name, isSymlink }) => isSymlink ? `${name} -> ${await Deno.readLink(`${dir}/${name}`)}` : name,
    );
    return names.sort();
  }

  /** The session-start hook of a harness, as its config has it. */
  hook(harness: string): Promise<Ran> {
    return this.connect(["hook", "session-start", "-H", harness], {
      input: JSON.stringify({ session_id: crypto.randomUUID(), cwd: "/home/u/proj" }),
    });
  }

  /** Stops the daemon; from then on connections are refused. */
  async stopDaemon(): Promise<void> {
    if (!this.#away) await this.daemon.shutdown();
    this.#away = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopDaemon();
    await this.world[Symbol.asyncDispose]();
  }
}
