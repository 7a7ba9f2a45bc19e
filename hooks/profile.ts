import type { AgentProfile } from "./agents/profile.ts";
import type { EventName, HookEvent } from "./event.ts";
import type { Surroundings } from "./state/paths.ts";

/** A transcript file's layout, see transcript.ts. */
export type TranscriptFormat =
  | "claude-code"
  | "codex"
  | "gemini"
  | "copilot"
  | "qwen"
  | "kimi"
  | "pi"
  | "text";

/**
 * What a hook needs to know about a harness: data and pure functions. A
 * descriptor (connectors/<harness>/harness.ts) extends it. It must not import
 * libraries, because every hook loads it.
 */
export interface HookProfile {
  /** Sent as `harness`, and the name of its files on disk: `claude-code`. */
  readonly id: string;
  /** `plugin` where our code runs inside the harness, else `legacy`. */
  readonly runtimePath: "legacy" | "plugin";
  /**
   * The events that this harness has: its name for each, and the timeout that
   * install writes into its config, always in ms here.
   */
  readonly events: { readonly [E in EventName]?: { readonly native: string; readonly timeoutMs: number } };
  /** The most characters of context that this harness accepts without truncating. */
  readonly maxInject: number;
  /** How the harness's transcript is read. */
  readonly transcript: TranscriptFormat;
  /**
   * When the session's start text is printed. `first-prompt`: session-start only
   * claims the session, because this harness loses or repeats its output. Default `session-start`.
   */
  readonly injectAt?: "session-start" | "first-prompt";
  /**
   * False if the harness does not keep injected text in its history, so that a
   * resumed session starts without it. Default true.
   */
  readonly keepsContext?: boolean;
  /**
   * Where the session's start text is printed again after a compaction, if no
   * session-start follows one. Default: the harness starts the session again.
   */
  readonly restoresAt?: "next-prompt";
  /**
   * True if session-start runs at the same time as the hook of the first prompt,
   * which then must not claim the session too. Default false.
   */
  readonly startsWithPrompt?: boolean;
  /**
   * True if a hook may see the environment of another session, because a server of
   * the harness runs it. Then the table of agents is preferred to SIGNET_AGENT_ID.
   */
  readonly sharesEnvironment?: boolean;
  /** Tags around text that the user did not write; removed from prompts and transcripts. */
  readonly injectedTags?: readonly string[];
  /** Where a session's conversation is on disk, if the harness does not say so on stdin. */
  findTranscript?(session: string, place: { readonly host: Surroundings; readonly home: string }):
    | string
    | undefined;
  /** How it takes part in the agent mesh; undefined if it cannot. */
  readonly agents?: AgentProfile;
  /** Whether another program that reads this harness's config fired the hook, by what it wrote to stdin. */
  isForeign?(input: Record<string, unknown>): boolean;
  /** The text in this harness's stdout format; "" prints nothing. */
  render(event: HookEvent, text: string): string;
}
