/** A value in a config file. */
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
 * One of our values in a user's file. `owns` recognises our values, of this or an
 * earlier version, by exact command or marker, never by position.
 */
export type Edit =
  /** A key, such as the MCP server `signet`. Another program's value is kept. */
  | { kind: "entry"; path: Path; value: Json; owns(value: Json): boolean }
  /**
   * A list item, appended last. A single value instead of a list becomes a list
   * of that value and the item; in a list of strings, `text` is added instead of
   * `value`.
   */
  | {
    kind: "item";
    path: Path;
    value: Json;
    text?: string;
    /** The key of the handlers inside an item (`hooks` in Claude Code's groups): `owns` then gets those. */
    inner?: string;
    /** Keys of our item in an earlier form; they are removed when the item is written in this form. */
    replaced?: readonly string[];
    /** Only some versions of the program know it: without it, the program is connected nevertheless. */
    optional?: boolean;
    owns(item: Json): boolean;
  }
  /** A setting that is added only if the user has none. */
  | { kind: "default"; path: Path; value: Json };
