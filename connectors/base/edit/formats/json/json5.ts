import type { Json } from "../../edit.ts";
import type { Dialect } from "../brackets.ts";
import { jsonReader, writeBrackets } from "./jsonc.ts";
import type { Syntax } from "../syntax.ts";
import type { Node } from "../../tree.ts";

// The reserved words of ECMAScript 5.1 are valid JSON5 keys, but some older readers reject them.
const BARE_KEY = /^(?!(?:true|false|null|Infinity|NaN)$)[A-Za-z_$][\w$]*$/;

/** Writes as the file does: its quotes, and bare keys where its own keys are bare. */
function dialectOf(text: string, root: Node): Dialect {
  const single = (text.match(/[:[,]\s*'/g)?.length ?? 0) > (text.match(/[:[,]\s*"/g)?.length ?? 0);
  const string = (value: string) =>
    single && !value.includes("'")
      ? `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"')}'`
      : JSON.stringify(value);
  const bareBeside = (beside: Node) => {
    const like = beside.entries[0] ?? root.entries[0];
    return like !== undefined && !`"'`.includes(text.charAt(like.start));
  };
  return {
    lineComment: "//",
    blockComments: true,
    key: (key, minified, beside) =>
      (BARE_KEY.test(key) && bareBeside(beside) ? key : string(key)) + (minified ? ":" : ": "),
    scalar: (value: Json) => typeof value === "string" ? string(value) : JSON.stringify(value),
  };
}

export const JSON5_SYNTAX: Syntax = {
  ...jsonReader({ comments: true, trailingCommas: true, json5: true }),
  write(text, root, ops) {
    const dialect = dialectOf(text, root);
    return ops.flatMap((op) => writeBrackets(text, root, op, dialect));
  },
};
