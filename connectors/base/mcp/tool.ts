import type { AgentDesk } from "../agents/desk.ts";
import type { Answer, MemoryDaemon } from "../memory/daemon.ts";

/** The part of JSON Schema that every harness's converter understands: no unions, no references. */
export type Field =
  | {
    readonly type: "string";
    readonly description: string;
    readonly enum?: readonly string[];
    readonly maxLength: number;
  }
  | {
    readonly type: "integer" | "number";
    readonly description: string;
    readonly minimum: number;
    readonly maximum: number;
  }
  | { readonly type: "boolean"; readonly description: string }
  | {
    readonly type: "array";
    readonly description: string;
    readonly items: { readonly type: "string"; readonly maxLength: number };
    readonly maxItems: number;
  };

export interface Input {
  readonly fields: Readonly<Record<string, Field>>;
  readonly required: readonly string[];
}

/** What a tool gets besides its arguments. */
export interface ToolContext {
  readonly daemon: MemoryDaemon;
  /** The binary's name, for hints to the user. */
  readonly binary: string;
  /** The directory that the harness started us in, if it is a project. */
  readonly project?: string;
  /** Resolves when the server has to stop, so that a pending store is saved on disk. */
  readonly stopping: Promise<Answer>;
  /** The agent mesh; undefined if the harness was installed without it. */
  readonly agents?: AgentDesk;
}

export interface ToolReply {
  readonly text: string;
  readonly isError?: boolean;
  /** Saved on disk until the daemon is back. */
  readonly kept?: boolean;
  /** Called once the client has the reply. */
  readonly confirm?: () => void;
}

/** The tools of a group need the same daemon routes. */
export type Group = "memory" | "knowledge" | "sessions" | "agents" | "mesh";

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly group: Group;
  readonly access: "read" | "write";
  /** A write that can remove information. */
  readonly destructive?: boolean;
  readonly idempotent?: boolean;
  readonly input: Input;
  run(args: Arguments, context: ToolContext): Promise<ToolReply>;
}

/** Arguments that were checked against the tool's fields. */
export class Arguments {
  constructor(private readonly values: ReadonlyMap<string, string | number | boolean | readonly string[]>) {}

  text(name: string): string | undefined {
    const value = this.values.get(name);
    return typeof value === "string" ? value : undefined;
  }

  /** A required string; `checkArguments` has made sure that it is present. */
  need(name: string): string {
    return this.text(name) ?? "";
  }

  number(name: string): number | undefined {
    const value = this.values.get(name);
    return typeof value === "number" ? value : undefined;
  }

  flag(name: string): boolean | undefined {
    const value = this.values.get(name);
    return typeof value === "boolean" ? value : undefined;
  }

  list(name: string): readonly string[] | undefined {
    const value = this.values.get(name);
    return typeof value === "object" ? value : undefined;
  }
}
