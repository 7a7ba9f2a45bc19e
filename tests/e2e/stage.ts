import { dirname, fromFileUrl, join } from "@std/path";
import type { Harness } from "../../connectors/base/harness.ts";
import { Daemon } from "./daemon.ts";
import { type ModelStub, startModelStub } from "./model/stub.ts";
import { cacheDir, type Package, programPath } from "./packages.ts";
import { type Ran, run, type RunOptions } from "./process.ts";
import type { Check } from "./report.ts";

/** What `deno task e2e` needs to know of a harness; `play` is its script, read from top to bottom. */
export interface Scenario {
  readonly harness: Harness;
  /** The name in the report, where one harness is played in several versions. */
  readonly name?: string;
  /** What is fetched from npm, pinned. The first holds the program. */
  readonly packages: readonly Package[];
  /** How the program is started, where that is more than running its file: `["node", …]`. */
  readonly command?: readonly string[];
  play(stage: Stage): Promise<void>;
}

/** The compiled connector of a harness. */
export function connectorPath(scenario: Scenario): string {
  const dist = Deno.env.get("SIGNET_E2E_DIST") ?? fromFileUrl(new URL("../../dist", import.meta.url));
  return join(dist, scenario.harness.binary);
}

/** A scratch home with a project in it, a daemon, a model, the real program and the compiled connector. */
export class Stage implements AsyncDisposable {
  readonly checks: Check[] = [];
  /** What the user had before we came: path to bytes. */
  readonly userFiles = new Map<string, string>();
  readonly agentId: string;

  private constructor(
    readonly scenario: Scenario,
    /** All of it: the home, and what the daemon keeps. */
    readonly root: string,
    readonly daemon: Daemon,
    readonly model: ModelStub,
  ) {
    this.agentId = `e2e/${scenario.harness.id}`;
  }

  static async set(scenario: Scenario): Promise<Stage> {
    const connector = connectorPath(scenario);
    await Deno.stat(connector).catch(() => {
      throw new Error(`${connector} is not there; compile it with: deno task build`);
    });
    // Not in /tmp: the daemon takes projects there for noise, and Codex distrusts a home there.
    const runs = join(cacheDir(), "runs");
    await Deno.mkdir(runs, { recursive: true });
    const root = await Deno.makeTempDir({ dir: runs, prefix: `${scenario.harness.id}-` });
    const stage = new Stage(scenario, root, new Daemon(join(root, "daemon.db")), startModelStub());
    await stage.#furnish().catch(async (err) => {
      await stage[Symbol.asyncDispose]();
      throw err;
    });
    return stage;
  }

  async #furnish(): Promise<void> {
    await this.daemon.start();
    const git = join(this.project, ".git");
    await Deno.mkdir(join(git, "refs"), { recursive: true });
    await Deno.mkdir(join(git, "objects"));
    await Deno.writeTextFile(join(git, "HEAD"), "ref: refs/heads/main\n");
    await Deno.writeTextFile(
      join(git, "config"),
      '[remote "origin"]\n\turl = https://git.example/u/proj.git\n',
    );
    await this.#putProgramOnPath();
    const skill = join(this.workspace, "skills", "knots");
    await Deno.mkdir(skill, { recursive: true });
    await Deno.writeTextFile(
      join(skill, "SKILL.md"),
      "---\nname: knots\ndescription: How to tie a GANNET\n---\n\nPull.\n",
    );
    await Deno.writeTextFile(
      join(this.workspace, "AGENTS.md"),
      "# Agents\n\nSpeak plainly. Think of the CORMORANT.\n",
    );
  }

  async #putProgramOnPath(): Promise<void> {
    const command = this.scenario.command ?? this.scenario.packages.slice(0, 1).map(programPath);
    const words = command.map((word) => `'${word}'`).join(" ");
    await Deno.mkdir(dirname(this.programPath));
    await Deno.writeTextFile(this.programPath, `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  }

  get home(): string {
    return join(this.root, "home");
  }

  get project(): string {
    return join(this.home, "proj");
  }

  /** The Signet workspace on this machine. */
  get workspace(): string {
    return join(this.home, ".agents");
  }

  /** The harness's program, under the name that people and our binary find on PATH. */
  get programPath(): string {
    return join(this.home, "bin", this.scenario.harness.programs[0] ?? this.scenario.harness.id);
  }

  /** The environment that everything on the stage gets: nothing of this machine but PATH. */
  env(extra: Record<string, string> = {}): Record<string, string> {
    return {
      HOME: this.home,
      PATH: [
        join(this.home, ".local", "bin"),
        join(this.home, "bin"),
        Deno.env.get("PATH") ?? "/usr/bin:/bin",
      ].join(":"),
      LANG: "C.UTF-8",
      TERM: "dumb",
      // Where a harness asks for a general wish not to be counted.
      DO_NOT_TRACK: "1",
      NO_UPDATE_NOTIFIER: "1",
      ...extra,
    };
  }

  /** Runs the real program in the project. */
  program(args: string[], options: RunOptions = {}): Promise<Ran> {
    return this.exec(this.programPath, args, options);
  }

  /** Runs any program in the project with the stage's environment. */
  exec(command: string, args: string[], options: RunOptions = {}): Promise<Ran> {
    return run(command, args, { cwd: this.project, ...options, env: this.env(options.env) });
  }

  /** Runs the compiled connector. */
  connector(...args: string[]): Promise<Ran> {
    return this.exec(connectorPath(this.scenario), args);
  }

  /** Runs the compiled connector with more variables. */
  connectorWith(env: Record<string, string>, ...args: string[]): Promise<Ran> {
    return this.exec(connectorPath(this.scenario), args, { env, timeoutMs: 300_000 });
  }

  /** Writes a file that the user had before we came; it is compared after uninstall. */
  async userFile(path: string, text: string): Promise<void> {
    await Deno.mkdir(dirname(this.at(path)), { recursive: true });
    await Deno.writeTextFile(this.at(path), text);
    this.userFiles.set(path, text);
  }

  /** Takes files and directories of the home away, for a second act. */
  async clear(...paths: string[]): Promise<void> {
    for (const path of paths) await Deno.remove(this.at(path), { recursive: true }).catch(() => {});
    this.userFiles.clear();
  }

  /** An absolute path in the scratch home. */
  at(path: string): string {
    return join(this.home, path);
  }

  /** A file below the home, or undefined. */
  async read(path: string): Promise<string | undefined> {
    try {
      return await Deno.readTextFile(this.at(path));
    } catch (err) {
      if (err instanceof Deno.errors.NotFound) return undefined;
      throw err;
    }
  }

  /** A shell command for a hook of the user's own: it leaves a line that `userHookRuns` counts. */
  userHook(name: string): string {
    return `echo ${name} >> '${this.at("user_hook.log")}'`;
  }

  async userHookRuns(name: string): Promise<number> {
    const lines = (await this.read("user_hook.log"))?.split("\n") ?? [];
    return lines.filter((line) => line === name).length;
  }

  /** Runs one check; a failure is recorded and the script goes on. */
  async check(title: string, look: () => unknown): Promise<void> {
    try {
      await look();
      this.checks.push({ title });
      console.log(`  ok      ${title}`);
    } catch (err) {
      const problem = err instanceof Error ? err.message : String(err);
      this.checks.push({ title, problem });
      console.log(`  FAILED  ${title}\n${problem.replaceAll(/^/gm, "          ")}`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.daemon[Symbol.asyncDispose]();
    await this.model[Symbol.asyncDispose]();
    if (Deno.env.get("SIGNET_E2E_KEEP") === "1") console.log(`  kept ${this.root}`);
    else await Deno.remove(this.root, { recursive: true }).catch(() => {});
  }
}
