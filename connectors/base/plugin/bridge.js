// The part that the plugins inside OpenCode, OpenClaw and pi share. render.ts
// puts it into each plugin file, so that a plugin is one file without imports
// of ours. It runs in the harness's own runtime: Bun, Node or jiti.
import { spawn } from "node:child_process";
import process from "node:process";

/** The daemon makes a summary of no more than this. */
const MAX_TRANSCRIPT = 100_000;

/** What must arrive is on disk soon after the start: cutting it off would lose it. */
const DURABLE = ["session-end", "compaction-complete"];

/**
 * Runs our binary once: JSON in, text out. Whatever goes wrong is "", within
 * `timeoutMs`, because a throw or a wait here is the harness's throw or wait.
 */
export function run(argv, input, timeoutMs, durable = false) {
  return new Promise((resolve) => {
    let out = "";
    let child;
    const finish = (text) => {
      clearTimeout(timer);
      resolve(text);
    };
    const timer = setTimeout(() => {
      if (!durable) child?.kill("SIGKILL");
      child?.unref();
      child?.stdout?.destroy();
      finish("");
    }, timeoutMs);
    try {
      // Inherited output would land in the harness's screen or protocol.
      child = spawn(argv[0], argv.slice(1), { stdio: ["pipe", "pipe", "ignore"], windowsHide: true });
      child.on("error", () => finish(""));
      child.stdin.on("error", () => {});
      child.stdout.setEncoding("utf8");
      child.stdout.on("data", (text) => out += text);
      child.on("close", (code) => finish(code === 0 ? out.trim() : ""));
      child.stdin.end(JSON.stringify(input));
    } catch {
      finish("");
    }
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

/** What `promise` gives within `ms`, else undefined. */
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

/** `User: …` and `Assistant: …` paragraphs, which the daemon reads; the newest part is kept. */
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

/** One session of the harness, as Signet sees it: started once, ended once. */
export class Session {
  #settings;
  #facts;
  #start;
  #ended = false;
  #turns = 0;

  constructor(settings, facts) {
    this.#settings = settings;
    this.#facts = facts;
  }

  get ended() {
    return this.#ended;
  }

  #hook(event, input = {}) {
    // Signet sets these for agents that it starts itself.
    if (process.env.SIGNET_NO_HOOKS === "1" || process.env.SIGNET_BYPASS === "1") return Promise.resolve("");
    const argv = this.#settings.argv.map((arg) => arg === "EVENT" ? event : arg);
    return run(argv, { ...this.#facts, ...input }, this.#settings.timeouts[event], DURABLE.includes(event));
  }

  /** The text for the session; the same promise however often it is asked for. */
  start(source) {
    return this.#start ??= this.#hook("session-start", { source });
  }

  prompt(prompt, lastAssistant) {
    return this.#hook("user-prompt-submit", { prompt, last_assistant_message: lastAssistant });
  }

  compacting(trigger) {
    return this.#hook("pre-compaction", { trigger });
  }

  compacted(summary) {
    return summary?.trim() ? this.#hook("compaction-complete", { summary }) : Promise.resolve("");
  }

  /** Whether this finished turn is one that a checkpoint follows: a killed harness sends no end. */
  turnIsDue() {
    return ++this.#turns % this.#settings.checkpointEvery === 0;
  }

  checkpoint(transcript) {
    return transcript ? this.#hook("checkpoint", { transcript }) : Promise.resolve("");
  }

  /** A session that never started has nothing to end. */
  end(reason, transcript) {
    if (this.#ended || !this.#start) return Promise.resolve("");
    this.#ended = true;
    return this.#hook("session-end", { reason, transcript });
  }
}
