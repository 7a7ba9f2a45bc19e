import { now } from "../fs/os.ts";
import { until } from "./until.ts";

/** A user's home in a directory of its own, which is removed with all that is in it. */
export class ScratchHome implements AsyncDisposable {
  constructor(
    /** The home. */
    readonly path: string,
    /** What is removed in the end: the home, or a directory above it. */
    readonly root: string = path,
  ) {}

  /** A path with a space and a quote, as people have; links resolved, so that paths can be compared. */
  static makeRoot(options: Deno.MakeTempOptions = { prefix: "signet u's " }): Promise<string> {
    return now(() => Deno.realPathSync(Deno.makeTempDirSync(options)));
  }

  /** Writes a file, whose path is relative to the home, and the directories above it. */
  write(path: string, text: string, mode?: number): Promise<void> {
    return now(() => {
      const whole = `${this.path}/${path}`;
      Deno.mkdirSync(whole.slice(0, whole.lastIndexOf("/")), { recursive: true });
      Deno.writeTextFileSync(whole, text, mode === undefined ? {} : { mode });
    });
  }

  read(path: string): Promise<string> {
    return now(() => Deno.readTextFileSync(`${this.path}/${path}`));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // A process that was killed may still be writing its last file.
    await until(`${this.root} is removed`, () => {
      try {
        Deno.removeSync(this.root, { recursive: true });
      } catch (error) {
        return error instanceof Deno.errors.NotFound;
      }
      return true;
    });
  }
}
