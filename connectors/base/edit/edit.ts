/** What a config file can hold. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Keys from the top of a document down. */
export type Path = readonly string[];

/** `json` is strict: Claude Code ignores a whole file for one comment in it. */
export type Format = "yaml" | "json" | "jsonc" | "json5" | "toml";

/** Reading never turns a file that does not parse into an empty one. */
export type Reading =
  | { kind: "absent" }
  | { kind: "parsed"; value: Json }
  | { kind: "unparsable"; line: number; column: number; message: string };

/**
 * One thing of ours in a file that belongs to the user. `owns` tells our things,
 * of this version or an older one, from everybody else's: by exact command or
 * marker, never by position.
 */
export type Edit =
  /** A key that is ours, such as the MCP server `signet`. A foreign value there is kept. */
  | { kind: "entry"; path: Path; value: Json; owns(value: Json): boolean }
  /**
   * A list item that is ours, appended last. Where the user wrote the list as one
   * value, it becomes a list of that value and ours; where its items are
   * strings, `text` is added instead of `value`.
   */
  | {
    kind: "item";
    path: Path;
    value: Json;
    text?: string;
    /** The key of the handlers inside an item (`hooks` in Claude Code's groups): `owns` then judges those. */
    inner?: string;
    owns(item: Json): boolean;
  }
  /** A setting that we fill in only where the user has none. */
  | { kind: "default"; path: Path; value: Json };
