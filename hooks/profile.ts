import type { EventName, HookEvent } from "./event.ts";

/** A transcript file's layout, see transcript.ts. */
export type TranscriptFormat = "claude-code" | "codex" | "gemini" | "pi" | "text";

/**
 * What the hook path needs to know of a harness: data and pure functions.
 * A descriptor (connectors/<harness>/harness.ts) extends it, and must stay
 * free of libraries, because every hook loads it.
 */
export interface HookProfile {
  /** Sent as `harness`, and the name of our files on disk: `claude-code`. */
  readonly id: string;
  /** `plugin` where our code runs inside the harness, else `legacy`. */
  readonly runtimePath: "legacy" | "plugin";
  /**
   * The events this harness can give us: its own name for each, and the
   * timeout that we write into its config, in ms whatever its own unit is.
   */
  readonly events: { readonly [E in EventName]?: { readonly native: string; readonly timeoutMs: number } };
  /** The most characters of context that this harness takes whole. */
  readonly maxInject: number;
  /** How the harness's transcript is read. */
  readonly transcript: TranscriptFormat;
  /**
   * Where the session's first text is printed. `first-prompt`: session-start only
   * claims, because this harness loses or doubles what it prints. Default `session-start`.
   */
  readonly injectAt?: "session-start" | "first-prompt";
  /**
   * False where what we inject is not part of the harness's own history, so that
   * a resumed session starts without it. Default true.
   */
  readonly keepsContext?: boolean;
  /** Tags around text that this harness or we added; removed from prompts and transcripts. */
  readonly injectedTags?: readonly string[];
  /** Our text in this harness's stdout format; "" prints nothing. */
  render(event: HookEvent, text: string): string;
}
