import type { ModelRequest, Turn } from "../model/turn.ts";
import type { Ran } from "../process.ts";
import type { Screen } from "../screen.ts";
import type { Stage } from "../stage.ts";

/** What the script needs to know of a harness. */
export interface MeshKit {
  furnish(stage: Stage): Promise<void>;
  readonly installFlags: readonly string[];
  /** Whether the end of a turn can be refused. */
  readonly goesOn: boolean;
  /** Whether the program takes no text between tool calls, so that messages come at the end of a turn. */
  readonly deafAfterTool?: boolean;
  /** Asks without a screen; shell commands run without a question. */
  ask(stage: Stage, prompt: string): Promise<Ran>;
  /** The call of the tool that runs a shell command. */
  shell(request: ModelRequest, command: string): NonNullable<Turn["tool"]>;
  /** The call of the tool that starts a sub-agent, where the program tells our hooks about it. */
  subagent?(prompt: string): NonNullable<Turn["tool"]>;
  /** The screen of a harness that can be woken. */
  readonly screen?: OpenScreen;
  /** A screen that asks before it runs a command, and the key that allows it. */
  readonly asks?: {
    readonly open: OpenScreen;
    readonly question: string;
    readonly key: string;
    /** What the model adds to its call, where it decides whether the user is asked. */
    readonly input?: Record<string, unknown>;
  };
  /** The screen of a harness that cannot be woken: its user hears a bell. */
  readonly bell?: OpenScreen;
  /** Whether a session is woken even if the hook at the end of its turn was killed. */
  readonly recovers?: boolean;
  /** Queues a doorbell for an idle session, where that is how it is woken. */
  ringDoorbell?(stage: Stage, session: string): Promise<Ran>;
}

export interface Opening {
  readonly args: string[];
  readonly env: Record<string, string>;
  /** What a person does before the session can work, where the prompt is no argument. */
  begin?(screen: Screen): Promise<void>;
}

export type OpenScreen = (stage: Stage, prompt: string) => Opening;
