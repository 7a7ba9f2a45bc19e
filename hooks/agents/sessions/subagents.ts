import { exists } from "../../state/exists.ts";
import { ensureDir, unique } from "../../state/state_file.ts";
import { sessionName } from "../dir.ts";
import type { SessionId } from "./session.ts";

/**
 * The sub-agents that run in a session, where their calls look like those of the
 * agent itself (Kimi Code): one empty file for each. A message must not go to one
 * of them, so meanwhile the session is shown none.
 */
export class Subagents {
  readonly #dir: string;

  constructor(dir: string, { harness, key }: SessionId) {
    this.#dir = `${dir}/inbox/${sessionName(harness, key)}/subagents`;
  }

  isRunning(): boolean {
    return this.#names().length > 0;
  }

  started(): void {
    ensureDir(this.#dir);
    Deno.writeTextFileSync(`${this.#dir}/${unique()}`, "", { createNew: true, mode: 0o600 });
  }

  /** Whichever it was. Of two that end at once, each removes a file. */
  ended(): void {
    for (const name of this.#names()) {
      try {
        return Deno.removeSync(`${this.#dir}/${name}`);
      } catch {
        // Another one was faster.
      }
    }
  }

  /** An interrupted sub-agent has no end: the next prompt of the user counts from zero. */
  clear(): void {
    if (!exists(this.#dir)) return;
    try {
      Deno.removeSync(this.#dir, { recursive: true });
    } catch {
      // They cannot be removed.
    }
  }

  #names(): string[] {
    if (!exists(this.#dir)) return [];
    try {
      return [...Deno.readDirSync(this.#dir)].map(({ name }) => name);
    } catch {
      return [];
    }
  }
}
