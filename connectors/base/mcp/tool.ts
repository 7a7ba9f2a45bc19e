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

/** What a tool has to work with. */
export interface ToolContext {
  readonly daemon: MemoryDaemon;
  /** The command that the user knows, for advice. */
  readonly binary: string;
  /** The directory the harness started us in: the project, where the harness says so. */
  readonly project?: string;
  /** Resolves when the server has to go, so that a store in flight is kept on disk. */
  readonly leaving: Promise<Answer>;
}

export interface ToolReply {
  readonly text: string;
  readonly isError?: boolean;
  /** It waits on disk for the daemon. */
  readonly kept?: boolean;
}

/** A group stands or falls with one route of the daemon. */
export type Group = "memory" | "knowledge" | "agents";

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly group: Group;
  readonly access: "read" | "write";
  /** A write that can take something away. */
  readonly destructive?: boolean;
  readonly idempotent?: boolean;
  readonly input: Input;
  run(args: Arguments, context: ToolContext): Promise<ToolReply>;
}

/** Checked against the tool's fields before `run` sees them. */
export class Arguments {
  constructor(private readonly values: ReadonlyMap<string, string | number | boolean | readonly string[]>) {}

  text(name: string): string | undefined {
    const value = this.values.get(name);
    return typeof value === "string" ? value : undefined;
  }

  /** A required text; the check has seen that it is there. */
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
