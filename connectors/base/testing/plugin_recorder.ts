import { type PluginSettings, pluginSettings, renderPlugin } from "../plugin/render.ts";
import type { HookProfile } from "../../../hooks/profile.ts";
import { writeProgram } from "./write_program.ts";

/** One call of the program that a plugin believes to be our binary. */
export interface Call {
  readonly event: string;
  readonly input: Record<string, unknown>;
}

const PROGRAM = `#!/bin/sh
printf '%s\\t%s\\n' "$*" "$(cat)" >> "$(dirname "$0")/calls"
case "$2" in
  session-start) echo START-TEXT ;;
  user-prompt-submit) echo PROMPT-TEXT ;;
  pre-compaction) echo GUIDE-TEXT ;;
esac
if [ "$1" = recall ]; then echo RECALLED; fi
`;

/** A program in place of our binary that records its calls and answers each with a text of its own. */
export class Recorder implements AsyncDisposable {
  private constructor(readonly dir: string) {}

  static async create(program = PROGRAM): Promise<Recorder> {
    const recorder = new Recorder(await Deno.makeTempDir());
    await writeProgram(recorder.program, program);
    // As an install does: a plugin does not create it.
    await Deno.mkdir(recorder.stateDir);
    return recorder;
  }

  get program(): string {
    return `${this.dir}/signet`;
  }

  get stateDir(): string {
    return `${this.dir}/state`;
  }

  /** Loads a plugin as it is installed, from a file of its own. */
  async load(
    source: string,
    profile: Pick<HookProfile, "events">,
    name: string,
    more: Partial<PluginSettings> = {},
  ): Promise<unknown> {
    const settings = pluginSettings(profile, { argv: (...args) => [this.program, ...args] });
    const extra = {
      stateDir: this.stateDir,
      recall: [this.program, "recall"],
      remember: [this.program, "remember"],
      mcp: [this.program, "mcp"],
      ...more,
    };
    await Deno.writeTextFile(`${this.dir}/${name}`, renderPlugin(source, { ...settings, ...extra }));
    return await import(`file://${this.dir}/${name}`);
  }

  async calls(): Promise<Call[]> {
    const text = await Deno.readTextFile(`${this.dir}/calls`).catch(() => "");
    return text.split("\n").filter(Boolean).map((line) => {
      const [words = "", input = "{}"] = line.split("\t");
      return { event: words.replace(/^hook /, ""), input: JSON.parse(input) };
    });
  }

  /** The calls as one record each. */
  async records(): Promise<Record<string, unknown>[]> {
    return (await this.calls()).map(({ event, input }) => ({ event, ...input }));
  }

  async events(): Promise<string[]> {
    return (await this.calls()).map((call) => call.event);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.dir, { recursive: true });
  }
}
