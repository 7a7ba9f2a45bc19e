import type { Flag } from "./command.ts";

/** Flags that every command takes, before or after its name. */
export const GLOBAL_FLAGS: readonly Flag[] = [
  { name: "json", summary: "Print a single JSON document" },
  {
    name: "mode",
    value: "MODE",
    choices: ["readonly", "write", "admin"],
    summary: "The highest mode that this call may use (default: write)",
  },
  { name: "quiet", short: "q", summary: "Print only warnings and errors" },
  { name: "help", short: "h", summary: "Show help" },
  { name: "version", short: "V", summary: "Show the version" },
];

export const HARNESS_FLAG: Flag = {
  name: "harness",
  short: "H",
  value: "HARNESS",
  repeat: true,
  summary: "The harness to act on",
};

/** The flags of one call, read by name. */
export class Flags {
  constructor(private readonly values: ReadonlyMap<string, boolean | string[]>) {}

  on(name: string): boolean {
    return this.values.get(name) === true;
  }

  text(name: string): string | undefined {
    return this.list(name).at(-1);
  }

  list(name: string): string[] {
    const value = this.values.get(name);
    return Array.isArray(value) ? value : [];
  }
}
