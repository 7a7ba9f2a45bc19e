// Signet memory for pi, written by signet-pi.
// `signet-pi uninstall` removes it; an install writes it again.
import { quiet, runProgram, Session, textOf, transcriptOf } from "../base/plugin/bridge.js";

const SETTINGS: Settings = { argv: ["signet-pi", "hook", "EVENT"], timeouts: {}, checkpointEvery: 10 }; // signet:settings

interface Settings {
  argv: string[];
  timeouts: Record<string, number>;
  checkpointEvery: number;
  transcripts?: string;
  recall?: string[];
  remember?: string[];
}

/** The part of pi's ExtensionAPI that is used; pi has no package of types for extensions. */
interface Pi {
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
  reason: string;
  prompt: string;
  systemPrompt: string;
  compactionEntry: { summary?: string };
}
interface Context {
  cwd: string;
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

/** A `reload` keeps the session. The daemon treats an unknown reason as the end of a turn. */
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

export default function signet(pi: Pi): void {
  let session: Session | undefined;
  let project: string | undefined;

  const current = (ctx: Context): Session => {
    project = ctx.cwd;
    return session ??= new Session(SETTINGS, {
      session_id: ctx.sessionManager.getSessionId(),
      cwd: ctx.cwd,
    });
  };

  pi.on("session_start", () => {
    session = undefined;
  });

  pi.on(
    "before_agent_start",
    quiet(async (event: Event, ctx: Context) => {
      const active = current(ctx);
      const lastReply = turns(ctx).findLast(({ role }) => role === "assistant")?.text;
      // `pi --continue` reports `startup` as well.
      const sessionText = await active.start(lastReply === undefined ? "startup" : "resume");
      const recalled = await active.prompt(event.prompt, lastReply);
      return {
        // A system prompt lasts for one run, and compaction does not change it.
        ...(sessionText && { systemPrompt: `${event.systemPrompt}\n\n${sessionText}` }),
        ...(recalled && { message: { customType: "signet", content: recalled, display: false } }),
      };
    }),
  );

  pi.on(
    "agent_end",
    quiet(async (_: Event, ctx: Context) => {
      const transcript = transcriptOf(turns(ctx));
      session?.keep(transcript);
      if (session?.turnIsDue()) await session.checkpoint(transcript);
    }),
  );

  pi.on(
    "session_before_compact",
    quiet(async (event: Event, ctx: Context) => {
      // pi accepts only a complete summary here, so the answer is not used.
      await current(ctx).compacting(event.reason === "manual" ? "manual" : "auto");
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
      const reason = END_REASON[event.reason];
      if (reason) await session?.end(reason, transcriptOf(turns(ctx)));
    }),
  );

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
  tool("memory_search", "Search the agent's long-term memory in Signet.", "query", SETTINGS.recall);
  tool(
    "memory_store",
    "Store a fact in the agent's long-term memory in Signet.",
    "content",
    SETTINGS.remember,
    // A search is not limited to the project: that would hide the other memories.
    () => project ? ["--project", project] : [],
  );
}
