import type { EventName } from "./event.ts";
import type { Outcome, Run } from "./run.ts";
import { Spool } from "./spool/spool.ts";
import { findCaller } from "./state/caller.ts";
import { isSweepDue } from "./sweep/is_sweep_due.ts";

/** Only these make a session live: `doctor` tries every event, and its session must not stay behind. */
const BEGINS: readonly EventName[] = ["session-start", "user-prompt-submit"];

/** Signet is switched off for this session, or another path serves it. */
const NOT_OURS = ["bypassed", "skipped", "conflict"];

/**
 * Keeps what is needed to end this session if the harness never does: a small
 * file at its start, then only the file's date.
 */
export class SessionTracking {
  readonly #run: Run;
  #state: "due" | "kept" | "begun" = "due";

  constructor(run: Run) {
    this.#run = run;
    if (run.event.event !== "session-end") run.sent.then(() => this.#note());
  }

  /** Called when the text is printed. Returns whether it is time to look for other sessions without an end. */
  finish({ outcome }: Outcome): boolean {
    const { event: { event, sessionKey: key }, settings: { url, agentId, problem }, live, dir } = this.#run;
    if (event === "session-end" || key === undefined || live === undefined || dir === undefined) return false;
    const session = { url, agentId, key };
    if (NOT_OURS.includes(outcome) || problem !== undefined) {
      if (this.#state === "begun") live.end(session);
      return false;
    }
    this.#note();
    return isSweepDue(dir, session, event === "session-start");
  }

  #note(): void {
    const { event: { event, sessionKey: key, cwd, transcriptPath }, settings, live, dir } = this.#run;
    if (this.#state !== "due" || key === undefined || live === undefined || dir === undefined) return;
    this.#state = "kept";
    const { url, agentId, keyFrom } = settings;
    const session = { url, agentId, key };
    if ((event !== "session-start" && live.touch(session)) || !BEGINS.includes(event)) return;
    this.#state = "begun";
    live.begin({ ...session, keyFrom, cwd, transcriptPath, caller: findCaller() });
    takeBackEnd(this.#run, key, dir);
  }
}

/**
 * An end that still waits for the daemon no longer holds: the session goes on, and
 * will end with all that was said. The daemon would ignore the second of two ends.
 */
function takeBackEnd({ notes }: Run, key: string, dir: string): void {
  const note = notes.read(key);
  if (note.endFile === undefined) return;
  new Spool(dir).takeBack(note.endFile);
  notes.write(key, { ...note, ended: false, endFile: undefined });
}
