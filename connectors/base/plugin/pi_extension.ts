// The extension of pi, and of oh-my-pi, which is built on it.
import { Agents } from "./agents_bridge.js";
import { quiet, runProgram, Session, textOf, transcriptOf } from "./bridge.js";

/** The settings of this machine, as render.ts writes them. */
export interface Settings {
  argv: string[];
  timeouts: Record<string, number>;
  checkpointEvery: number;
  transcripts?: string;
  recall?: string[];
  remember?: string[];
  mcp?: string[];
  agents?: object;
}

/** The part of the ExtensionAPI that is used; there is no package of types for extensions. */
export interface Pi {
  /** Only oh-my-pi has it: its own exports. */
  readonly pi?: unknown;
  /** pi has it from 0.99. */
  registerMcpServer?(
    name: string,
    config: { command: string; args: string[]; exposure: "direct" },
  ): unknown;
  /** Adds a message to the conversation; `steer` puts it before the next model request. */
  sendMessage?(
    message: { customType: string; content: string; display: boolean },
    options: { deliverAs: "steer" },
  ): void;
  sendUserMessage?(text: string): void;
  on(name: string, handler: (event: Event, ctx: Context) => unknown): void;
  registerTool(tool: {
    name: string;
    label: string;
    description: string;
    parameters: Record<string, unknown>;
    execute(id: string, params: Params): Promise<unknown>;
  }): void;
}
interface Event {
  /** oh-my-pi's shutdown has no reason. */
  reason?: string;
  /** pi 1.2 also starts the agent for a message of an extension, without a prompt. */
  prompt?: string;
  /** oh-my-pi has a list of sections. */
  systemPrompt: string | string[];
  compactionEntry: { summary?: string };
  toolName: string;
  input: unknown;
}
export interface Context {
  cwd: string;
  /** False in print mode, which exits when the agent is done. */
  hasUI?: boolean;
  isIdle?(): boolean;
  sessionManager: { getSessionId(): string; getBranch(): Entry[] };
}
interface Entry {
  type: string;
  message?: { role: string; content: unknown };
}
interface Params {
  query?: string;
  content?: string;
}

/** The reason to report for each of a shutdown or a switch; a `reload` keeps the session. */
const END_REASON: Record<string, string> = {
  quit: "session_shutdown",
  new: "session_switch",
  resume: "session_switch",
  fork: "session_fork",
};

const TOOL_MS = 15_000;

/** The messages of the user and the model. Injected text is a `custom_message` entry, and left out. */
function turns(ctx: Context): { role: string; text: string }[] {
  return ctx.sessionManager.getBranch().filter((entry) => entry.type === "message").map(({ message }) => ({
    role: message?.role ?? "",
    text: textOf(message?.content),
  }));
}

/** Why a command failed, from its `--json` output, and what to do. */
function failure(name: string, out: string, program = ""): string {
  try {
    const { error, next } = JSON.parse(out);
    if (typeof error === "string") return `${name}: ${error}${next ? ` Run: ${next}` : ""}`;
  } catch {
    // It printed nothing, or was ended.
  }
  return `Signet did not answer ${name}. Run: ${program} doctor`;
}

/** pi refuses a prompt until all handlers of `agent_end` are done. */
function takesPrompt(ctx: Context): boolean {
  try {
    return ctx.isIdle?.() !== false;
  } catch {
    return false; // another session has replaced this one
  }
}

/** A system prompt with one more section. */
function withSection(prompt: string | string[], text: string): string | string[] {
  return Array.isArray(prompt) ? [...prompt, text] : `${prompt}\n\n${text}`;
}

/** The session that an extension follows. */
export interface Followed {
  current(ctx: Context): Session;
  /** Its directory, once it has started. */
  project?: string;
}

/** Handles the events that pi and oh-my-pi have in common; returns the session for the others. */
export function followSession(pi: Pi, settings: Settings): Followed {
  let session: Session | undefined;
  /** The conversation when the current session was last seen. */
  let conversation = "";
  /**
   * The prompt of the run that is about to start, and the text for it. oh-my-pi asks again, and drops
   * the first answer, if its tools changed meanwhile; the daemon would not repeat what it answered.
   */
  let asked: { prompt: string; recalled: Promise<string> } | undefined;

  const agents = new Agents(settings);
  const followed: Followed = { current };

  function current(ctx: Context): Session {
    followed.project = ctx.cwd;
    return session ??= new Session(settings, {
      session_id: ctx.sessionManager.getSessionId(),
      cwd: ctx.cwd,
    });
  }

  function recall(active: Session, prompt: string, lastReply?: string): Promise<string> {
    if (asked?.prompt !== prompt) asked = { prompt, recalled: active.prompt(prompt, lastReply) };
    return asked.recalled;
  }

  pi.on("session_start", () => {
    session = undefined;
    asked = undefined;
  });

  pi.on("agent_start", () => {
    asked = undefined;
  });

  pi.on(
    "before_agent_start",
    quiet(async (event: Event, ctx: Context) => {
      const { prompt } = event;
      if (!prompt?.trim() && session === undefined) return undefined;
      const active = current(ctx);
      agents.busy(ctx.sessionManager.getSessionId());
      const lastReply = turns(ctx).findLast(({ role }) => role === "assistant")?.text;
      // `pi --continue` reports `startup` as well.
      const sessionText = await active.start(lastReply === undefined ? "startup" : "resume");
      const recalled = prompt?.trim() ? await recall(active, prompt, lastReply) : "";
      return {
        // A system prompt lasts for one run, and compaction does not change it.
        ...(sessionText && { systemPrompt: withSection(event.systemPrompt, sessionText) }),
        ...(recalled && { message: { customType: "signet", content: recalled, display: false } }),
      };
    }),
  );

  pi.on(
    "agent_end",
    quiet(async (_: Event, ctx: Context) => {
      conversation = transcriptOf(turns(ctx));
      session?.keep(conversation);
      const ring = ctx.hasUI ? (text: string) => pi.sendUserMessage?.(text) : undefined;
      const isReady = () => takesPrompt(ctx);
      await agents.idle(ctx.sessionManager.getSessionId(), ctx.cwd, ring && quiet(ring), isReady);
      if (session?.turnIsDue()) await session.checkpoint(conversation);
    }),
  );

  pi.on(
    "session_compact",
    quiet(async (event: Event, ctx: Context) => {
      await current(ctx).compacted(event.compactionEntry.summary);
    }),
  );

  pi.on(
    "session_shutdown",
    quiet(async (event: Event, ctx: Context) => {
      // A session that ends must not be woken: its `pi` throws.
      agents.busy(ctx.sessionManager.getSessionId());
      const reason = END_REASON[event.reason ?? "quit"];
      if (reason) await session?.end(reason, transcriptOf(turns(ctx)));
    }),
  );

  pi.on(
    "tool_call",
    // pi does not run the tool if a handler throws.
    quiet(async ({ toolName, input }: Event, ctx: Context) => {
      const id = ctx.sessionManager.getSessionId();
      const reason = await agents.refusal(id, ctx.cwd, toolName, input);
      return reason ? { block: true, reason } : undefined;
    }),
  );

  pi.on(
    "tool_result",
    quiet(async ({ toolName, input }: Event, ctx: Context) => {
      const id = ctx.sessionManager.getSessionId();
      agents.ran(id, ctx.cwd, toolName, input);
      const content = await agents.messages(id, ctx.cwd);
      const message = { customType: "signet", content, display: true };
      if (content) pi.sendMessage?.(message, { deliverAs: "steer" });
    }),
  );

  // oh-my-pi changes sessions without a shutdown; the context is the next session's by then.
  for (const name of ["session_switch", "session_branch"]) {
    pi.on(
      name,
      quiet(async (event: Event) => {
        const left = session;
        session = asked = undefined;
        await left?.end(END_REASON[event.reason ?? "fork"] ?? "session_switch", conversation);
      }),
    );
  }
  return followed;
}

/** Registers memory_search and memory_store, which run our program. */
export function registerTools(pi: Pi, { recall, remember }: Settings, followed: Followed): void {
  const tool = (
    name: string,
    description: string,
    argument: "query" | "content",
    argv?: string[],
    flags: () => string[] = () => [],
  ) =>
    argv && pi.registerTool({
      name,
      label: name,
      description,
      parameters: {
        type: "object",
        properties: { [argument]: { type: "string", description: argument } },
        required: [argument],
      },
      async execute(_id, params) {
        const words = [...argv, "--json", ...flags(), "--", params[argument] ?? ""];
        const { code, out } = await runProgram(words, {}, TOOL_MS);
        // Only a thrown error becomes a failed tool result in pi.
        if (code !== 0 || !out) throw new Error(failure(name, out, argv[0]));
        return { content: [{ type: "text", text: out }], details: undefined };
      },
    });
  tool("memory_search", "Search the agent's long-term memory in Signet.", "query", recall);
  tool(
    "memory_store",
    "Store a fact in the agent's long-term memory in Signet.",
    "content",
    remember,
    // A search is not limited to the project: that would hide the other memories.
    () => followed.project ? ["--project", followed.project] : [],
  );
}
