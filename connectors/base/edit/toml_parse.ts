import { parse } from "smol-toml";

let last: { readonly text: string; readonly value: unknown } | undefined;

/** Parses with smol-toml. Keeps the last result: the reader and the check parse the same text. */
export function parseToml(text: string): unknown {
  const bare = text.replace(/^\uFEFF/, "");
  if (last?.text !== bare) last = { text: bare, value: parse(bare, { integersAsBigInt: "asNeeded" }) };
  return last.value;
}
