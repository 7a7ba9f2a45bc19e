import { ScratchHome } from "../../connectors/base/testing/scratch_home.ts";
import { HANG_MS } from "../../connectors/base/testing/until.ts";

/** A scratch home and the programs that run in it. */
export class World extends ScratchHome {
  /** The home is `<scratch>/home/u`, so that projects in it do not look like the noise of /tmp. */
  static async create(files: Record<string, string> = {}): Promise<World> {
    const root = await ScratchHome.makeRoot({ prefix: "signet-" });
    const world = new World(`${root}/home/u`, root);
    await Deno.mkdir(world.home, { recursive: true });
    for (const [path, text] of Object.entries(files)) await world.write(path, text);
    return world;
  }

  get home(): string {
    return this.path;
  }

  /** Runs a program as someone at a plain terminal would, with nothing of this process's environment. */
  async run(command: string, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
    const child = new Deno.Command(command, {
      args: [...args],
      cwd: options.cwd ?? this.home,
      env: { HOME: this.home, PATH: "/usr/local/bin:/usr/bin:/bin", ...options.env },
      clearEnv: true,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const hanging = setTimeout(() => child.kill("SIGKILL"), HANG_MS);
    const writer = child.stdin.getWriter();
    // A program may end without reading its input.
    await writer.write(new TextEncoder().encode(options.input ?? "")).catch(() => {});
    await writer.close().catch(() => {});
    const { code, stdout, stderr } = await child.output();
    clearTimeout(hanging);
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    return { code, out: text(stdout), err: text(stderr) };
  }

  sh(command: string, options: RunOptions = {}): Promise<Ran> {
    return this.run("sh", ["-c", command], options);
  }

  /** Every entry of the home with its mode and content, for a comparison to the byte. */
  snapshot(): Promise<Map<string, string>> {
    return snapshot(this.home);
  }
}

export interface RunOptions {
  readonly env?: Record<string, string>;
  readonly input?: string;
  readonly cwd?: string;
}

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function snapshot(dir: string, below = ""): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const entry of Deno.readDir(dir + below)) {
    const path = `${below}/${entry.name}`;
    const { mode } = await Deno.lstat(dir + path);
    const rights = ((mode ?? 0) & 0o777).toString(8);
    if (entry.isSymlink) found.set(path, `-> ${await Deno.readLink(dir + path)}`);
    else if (entry.isDirectory) {
      found.set(path, `directory ${rights}`);
      for (const [name, content] of await snapshot(dir, path)) found.set(name, content);
    } else found.set(path, `${rights} ${await digest(dir + path)}`);
  }
  return new Map([...found].sort());
}

async function digest(path: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", await Deno.readFile(path));
  return new Uint8Array(hash).toHex();
}
