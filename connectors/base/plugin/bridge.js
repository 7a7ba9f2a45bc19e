// The code that every plugin has. render.ts puts it into each plugin file, so that
// a plugin is one file without relative imports. It runs in the harness's runtime: Bun, Node or jiti.
import { spawn, spawnSync } from "node:child_process";
import { appendFile, mkdir, rename, writeFile } from "node:fs/promises";
import process from "node:process";

/** The daemon summarises no more than this. */
const MAX_TRANSCRIPT = 100_000;

/** Events that must not be lost: the program is left running until it has stored them. */
const DURABLE = ["session-end", "compaction-complete"];

/**
 * Runs our binary once: JSON in, text out. Any failure gives "", within
 * `timeoutMs`, because the harness would throw or wait with us.
 */
export async function run(argv, input, timeoutMs, durable = false) {
  const { code, out } = await runProgram(argv, input, timeoutMs, durable);
  return code === 0 ? out : "";
}

/** The same, with the exit code; it is undefined if the program did not start or end in time. */
export function runProgram(argv, input, timeoutMs, durable = false) {
  return new Promise((resolve) => {
    let out = "";
    let child;
    const finish = (code) => {
      clearTimeout(timer);
      resolve({ code, out: out.trim() });
    };
    const timer = setTimeout(() => {
      if (!durable) child?.kill("SIGKILL");
      child?.unref();
      child?.stdout?.destroy();
      finish(undefined);
    }, timeoutMs);
    try {
      // Inherited output would appear on the harness's screen or in its protocol.
      child = spawn(argv[0], argv.slice(1), { stdio: ["pipe", "pipe", "ignore"], windowsHide: true });
      child.on("error", () => finish(undefined));
      child.stdin.on("error", () => {});
      child.stdout.setEncoding("utf8");
      child.stdout.on("data", (text) => out += text);
      child.on("close", finish);
      child.stdin.end(JSON.stringify(input));
    } catch {
      finish(undefined);
    }
  });
}

/** Runs our binary and blocks until it ends, for a harness that exits without waiting. */
function runNow(argv, input, timeoutMs) {
  const stdio = ["pipe", "ignore", "ignore"];
  spawnSync(argv[0], argv.slice(1), {
    input: JSON.stringify(input),
    timeout: timeoutMs,
    stdio,
    windowsHide: true,
  });
}

/** A handler that never throws: OpenCode aborts the turn on a throw. */
export function quiet(handler) {
  return async (...args) => {
    try {
      return await handler(...args);
    } catch {
      return undefined;
    }
  };
}

/** The value of `promise`, or undefined after `ms` or a failure. */
export async function within(ms, promise) {
  let timer;
  const late = new Promise((resolve) => timer = setTimeout(resolve, ms));
  try {
    return await Promise.race([promise, late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** The transcript as `User: …` and `Assistant: …` paragraphs, as the daemon expects it; a long one loses its start. */
export function transcriptOf(turns) {
  const text = turns
    .filter(({ role, text }) => (role === "user" || role === "assistant") && text.trim())
    .map(({ role, text }) => `${role === "user" ? "User" : "Assistant"}: ${text.trim()}`)
    .join("\n\n");
  return text.length > MAX_TRANSCRIPT ? text.slice(-MAX_TRANSCRIPT) : text;
}

/** The text of a message whose content is a string or a list of parts. */
export function textOf(content) {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.filter((part) => part?.type === "text" && typeof part.text === "string")
    .map((part) => part.text).join("\n");
}

/** An environment variable of the harness. */
export function variable(name) {
  return process.env[name];
}

/** Whether the harness was started with this word, such as `run`. */
export function isStartedWith(word) {
  return process.argv.slice(1, 4).includes(word);
}

/** Signet sets these for the agents that it starts. */
export function isOff() {
  return process.env.SIGNET_NO_HOOKS === "1" || process.env.SIGNET_BYPASS === "1";
}

/** One session of the harness, which starts once and ends once. */
export class Session {
  #settings;
  #facts;
  #start;
  #ended = false;
  #turns = 0;
  /** The conversation so far, on disk: if the harness is killed, the program ends the session from it. */
  #kept;
  #writing = Promise.resolve();

  constructor(settings, facts) {
    this.#settings = settings;
    const { transcripts } = settings;
    if (transcripts) {
      this.#kept = `${transcripts}/${
        String(facts.session_id).replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 100)
      }.txt`;
    }
    this.#facts = this.#kept ? { ...facts, transcript_path: this.#kept } : facts;
  }

  /** Changes the kept conversation after earlier changes. Nobody waits for it, and it never fails. */
  #keep(write) {
    if (!this.#kept || this.#ended || isOff()) return;
    this.#writing = this.#writing.then(async () => {
      // Not `recursive`: an uninstall removes the directory above it while the harness runs.
      await mkdir(this.#settings.transcripts, { mode: 0o700 }).catch(() => {});
      await write(this.#kept, { mode: 0o600 });
    }).catch(() => {});
  }

  /** Keeps the conversation after a turn. */
  keep(transcript) {
    if (!transcript) return;
    this.#keep(async (path, options) => {
      await writeFile(`${path}.tmp`, transcript, options);
      await rename(`${path}.tmp`, path);
    });
  }

  get ended() {
    return this.#ended;
  }

  #hook(event, input = {}) {
    if (isOff()) return Promise.resolve("");
    const argv = this.#argv(event);
    return run(argv, { ...this.#facts, ...input }, this.#settings.timeouts[event], DURABLE.includes(event));
  }

  #argv(event) {
    return this.#settings.argv.map((arg) => arg === "EVENT" ? event : arg);
  }

  /** The text for the session; every call returns the same promise. */
  start(source) {
    return this.#start ??= this.#hook("session-start", { source });
  }

  prompt(prompt, lastAssistant) {
    // The harness may be killed before the turn is over.
    this.#keep((path, options) => appendFile(path, `\n\nUser: ${prompt.trim()}`, options));
    return this.#hook("user-prompt-submit", { prompt, last_assistant_message: lastAssistant });
  }

  compacting(trigger) {
    return this.#hook("pre-compaction", { trigger });
  }

  compacted(summary) {
    return summary?.trim() ? this.#hook("compaction-complete", { summary }) : Promise.resolve("");
  }

  /** Counts a finished turn; true if a checkpoint is due, because a killed harness sends no session end. */
  turnIsDue() {
    return ++this.#turns % this.#settings.checkpointEvery === 0;
  }

  checkpoint(transcript) {
    return transcript ? this.#hook("checkpoint", { transcript }) : Promise.resolve("");
  }

  /** A session that never started has nothing to end. */
  async end(reason, transcript) {
    if (this.#ended || !this.#start) return "";
    this.#ended = true;
    await this.#writing;
    return await this.#hook("session-end", { reason, transcript });
  }

  /** Ends the session before this call returns. */
  endNow(reason, transcript) {
    if (this.#ended || !this.#start || isOff()) return;
    this.#ended = true;
    const event = "session-end";
    runNow(this.#argv(event), { ...this.#facts, reason, transcript }, this.#settings.timeouts[event]);
  }
}
