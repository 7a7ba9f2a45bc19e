import type { Json } from "../../edit.ts";
import type { Dialect } from "../brackets.ts";
import { isMap } from "../../json_value.ts";

// YAML 1.1 readers (PyYAML) do not read these as strings.
const WORDS = /^(?:true|false|null|yes|no|on|off|y|n|none)$/i;
const PLAIN = /^[A-Za-z_/][\w./@-]*$/;
// deno-lint-ignore no-control-regex -- control characters are what it looks for
const CONTROL = /[\u0000-\u0008\u000A-\u001F\u007F-\u009F\u2028\u2029\uD800-\uDFFF\uFEFF\uFFFE\uFFFF]/;

function yamlScalar(value: Json): string {
  if (typeof value !== "string") return JSON.stringify(value);
  if (PLAIN.test(value) && !WORDS.test(value)) return value;
  if (!CONTROL.test(value) && !value.includes("\t")) return `'${value.replaceAll("'", "''")}'`;
  return JSON.stringify(value).replace(
    /[\u007F-\uFFFF]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

export const FLOW: Dialect = {
  lineComment: "#",
  blockComments: false,
  flatUnlessBroken: true,
  key: (key) => `${yamlScalar(key)}: `,
  scalar: yamlScalar,
};

export interface BlockStyle {
  readonly eol: string;
  /** Columns from a key to the keys inside it. */
  readonly step: number;
  /** Columns from a key to the dashes inside it. */
  readonly dash: number;
}

/** A list of plain values reads best on one line, `[mcp]`. */
export function inFlow(value: Json): string | undefined {
  if (typeof value !== "object" || value === null) return yamlScalar(value);
  if (Array.isArray(value)) {
    const parts = value.map((item) =>
      typeof item === "object" && item !== null ? undefined : yamlScalar(item)
    );
    return parts.includes(undefined) ? undefined : `[${parts.join(", ")}]`;
  }
  return Object.keys(value).length === 0 ? "{}" : undefined;
}

/** Any value on one line, for files that use `{command: x, timeout: 5}`. */
export function oneLine(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(", ")}]`;
  if (!isMap(value)) return yamlScalar(value);
  return `{${Object.entries(value).map(([key, item]) => `${yamlScalar(key)}: ${oneLine(item)}`).join(", ")}}`;
}

/** The lines of a value's block form, the first without its indent. */
export function blockLines(value: Json, column: number, style: BlockStyle): string[] {
  const pad = (by: number) => " ".repeat(column + by);
  if (Array.isArray(value) && value.length > 0) {
    return value.flatMap((item, i) => {
      const [first = "", ...rest] = blockLines(item, column + 2, style);
      return [`${i === 0 ? "" : pad(0)}- ${first}`, ...rest];
    });
  }
  if (isMap(value) && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([key, item], i) =>
      entryLines(key, item, column, style).map((line, j) =>
        i === 0 && j === 0 ? line : j === 0 ? pad(0) + line : line
      )
    );
  }
  return [inFlow(value) ?? oneLine(value)];
}

/** The lines of `key: value`, the first without its indent. */
export function entryLines(key: string, value: Json, column: number, style: BlockStyle): string[] {
  // Others may add to a list of maps, so each item gets its own lines.
  const flow = Array.isArray(value) && value.some((item) => isMap(item)) ? undefined : inFlow(value);
  if (flow !== undefined) return [`${yamlScalar(key)}: ${flow}`];
  const inner = column + (Array.isArray(value) ? style.dash : style.step);
  const [first = "", ...rest] = blockLines(value, inner, style);
  return [`${yamlScalar(key)}:`, " ".repeat(inner) + first, ...rest];
}
