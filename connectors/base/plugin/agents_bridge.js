// The part of a plugin that works with other agents. Looking whether there is
// anything to do happens here, in the harness's process; our program does the rest.
import * as fs from "node:fs";
import { isOff, runProgram, variable } from "./bridge.js";

/** How often an idle session looks for messages. */
const LOOK_MS = 500;
/** An urgent message that nobody has read by then rings again. */
const RING_AGAIN_MS = 60_000;

/** A session's file that is larger is replaced. */
const MAX_RECORD = 8 * 1024;

/** Where locks on files, on directories, and on both in all clones are. */
const LOCK_DIRS = ["locks", "locks/trees", "locks/shared", "locks/shared/trees"];

/** The sessions of a harness among the other agents. Without `install --agents` every method does nothing. */
export class Agents {
  #settings;
  #mesh;
  #idle = new Map();
  /** What a session should know about a write of its own. */
  #warnings = new Map();
  /** The work of `ran`, for which the next messages wait. */
  #recording = new Map();

  constructor(settings) {
    this.#settings = settings;
    this.#mesh = isOff() ? undefined : settings.agents;
  }

  /** What a doorbell says; the prompt hook adds the messages. */
  get doorbell() {
    return this.#mesh?.doorbell;
  }

  /** Notes what a session does, and returns its file's content. The first hook has made the file. */
  note(id, status, tool, file) {
    if (!this.#mesh) return undefined;
    const path = `${this.#mesh.dir}/sessions/${sessionName(this.#mesh.harness, id)}.json`;
    try {
      const session = parseRecord(fs.readFileSync(path, "utf8"));
      const since = session.status === status ? session.since : Date.now();
      const change = { status, since, tool, file };
      if (!appendChange(path, change)) {
        fs.writeFileSync(`${path}.tmp`, JSON.stringify({ ...session, ...change }), { mode: 0o600 });
        fs.renameSync(`${path}.tmp`, path);
      }
      return session;
    } catch {
      // The session is not known, or the disk is full.
      return undefined;
    }
  }

  /** Why a tool must not run; undefined if it may. Never throws. */
  async refusal(id, cwd, tool, input) {
    if (!this.#mesh) return undefined;
    const writes = this.#mesh.tools.includes(tool);
    const session = this.note(id, "working", tool, fileOf(input));
    if (!this.#messages(id).length && !(writes && this.#hasLocks(session))) return undefined;
    const answer = await this.#hook("pre-tool", { session_id: id, cwd, tool_name: tool, tool_input: input });
    return answer?.decision === "deny" ? String(answer.reason || "refused") : undefined;
  }

  /** After a tool has run: records what it wrote. Nobody waits for it. */
  ran(id, cwd, tool, input) {
    if (!this.#mesh) return;
    const session = this.note(id, "working");
    if (!this.#mesh.tools.includes(tool)) return;
    // As for a sub-agent, which is shown no messages: `messages` does that.
    const call = { session_id: id, cwd, tool_name: tool, tool_input: input, agent_id: "recorder" };
    const recording = this.#hook("post-tool", call).then((answer) => {
      const warning = contextOf(answer);
      if (warning) this.#warnings.set(id, warning);
    });
    if (this.#hasLocks(session)) this.#recording.set(id, recording);
  }

  /** The messages that have arrived for a session that works, as text; "" if there are none. */
  async messages(id, cwd) {
    if (!this.#mesh) return "";
    await this.#recording.get(id);
    this.#recording.delete(id);
    const warning = this.#warnings.get(id) ?? "";
    this.#warnings.delete(id);
    const isDue = this.#messages(id).some((priority) => priority >= 3);
    const text = isDue ? contextOf(await this.#hook("post-tool", { session_id: id, cwd })) : "";
    return [warning, text].filter(Boolean).join("\n\n");
  }

  /** A session works again. */
  busy(id) {
    clearInterval(this.#idle.get(id));
    this.#idle.delete(id);
  }

  /** A session is idle: `ring` is called when a message comes that may wake it, and the program takes a prompt. */
  async idle(id, cwd, ring, isReady = () => true) {
    if (!this.#mesh) return;
    const answer = await this.#hook("turn-end", { session_id: id, cwd });
    // The program had too little time, or is gone.
    if (answer === null) this.note(id, "idle");
    this.busy(id);
    if (!ring) return;
    let rungAt = 0;
    const look = () => {
      const waiting = this.#messages(id);
      const due = waiting.some((priority) => priority >= (rungAt ? 4 : 3));
      if (!due || (rungAt && Date.now() - rungAt < RING_AGAIN_MS) || !isReady()) return;
      rungAt = Date.now();
      ring(this.#mesh.doorbell);
    };
    const timer = setInterval(look, LOOK_MS);
    timer.unref?.();
    this.#idle.set(id, timer);
    look();
  }

  /** The priorities of what waits for a session. */
  #messages(id) {
    const inbox = `${this.#mesh.dir}/inbox/${sessionName(this.#mesh.harness, id)}`;
    return [...list(`${inbox}/new`), ...list(`${inbox}/taken`)]
      .map((name) => Number(/-([1-5])\.json$/.exec(name)?.[1] ?? 0));
  }

  /** Whether a tool call has to be checked: there are locks, or another mode than `on` may be set. */
  #hasLocks(session) {
    const { dir, configs } = this.#mesh;
    return Boolean(variable("SIGNET_LOCKS")) || Boolean(session?.repository?.locks) ||
      configs.some((path) => fs.existsSync(path)) ||
      LOCK_DIRS.some((at) => list(`${dir}/${at}`).some((name) => name.endsWith(".json")));
  }

  /** What our program answers to an event; null if it failed. */
  async #hook(event, input) {
    const argv = this.#settings.argv.map((arg) => arg === "EVENT" ? event : arg);
    const { code, out } = await runProgram(argv, input, this.#mesh.timeouts[event] ?? 3000);
    if (code !== 0) return null;
    if (!out) return undefined;
    try {
      return JSON.parse(out);
    } catch {
      return undefined;
    }
  }
}

function contextOf(answer) {
  return String(answer?.hookSpecificOutput?.additionalContext ?? "");
}

function list(dir) {
  try {
    return fs.readdirSync(dir);
  } catch {
    return [];
  }
}

/** The file that a tool works on, for the list of agents. */
function fileOf(input) {
  for (const name of ["filePath", "file_path", "path"]) {
    // A session's file is read up to 64 kB.
    if (typeof input?.[name] === "string") return input[name].slice(0, 500);
  }
  return undefined;
}

/** A session's file, as in hooks/agents/sessions/session_record.ts. */
function parseRecord(text) {
  const [first, ...changes] = text.split("\n");
  const session = JSON.parse(first);
  for (const line of changes.reverse()) {
    try {
      return { ...session, tool: undefined, file: undefined, ...JSON.parse(line) };
    } catch {
      // A full disk has cut it off.
    }
  }
  return session;
}

/** Appends a change. False if the file is to be replaced instead. */
function appendChange(path, change) {
  // Not "a", which would make the file of a session that has ended.
  const file = fs.openSync(path, fs.constants.O_WRONLY | fs.constants.O_APPEND);
  try {
    if (fs.fstatSync(file).size > MAX_RECORD) return false;
    fs.writeSync(file, `\n${JSON.stringify(change)}`);
    return true;
  } finally {
    fs.closeSync(file);
  }
}

/** The name of a session's files, as in hooks/agents/dir.ts. */
export function sessionName(harness, key) {
  const readable = key.replace(/[^A-Za-z0-9_-]/g, "").slice(0, 40);
  const hash = (seed) => {
    let h = seed;
    for (const char of `${harness} ${key}`.split("")) h = Math.imul(h ^ char.charCodeAt(0), 0x01000193);
    return (h >>> 0).toString(16).padStart(8, "0");
  };
  return `${harness}-${readable}-${hash(0x811c9dc5)}${hash(0x01000193)}`;
}
