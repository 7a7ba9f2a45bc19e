import { parse } from "smol-toml";

let last: { readonly text: string; readonly value: unknown } | undefined;

/** What smol-toml makes of a text. The same one is asked for by the reader and again by the check, so it is kept. */
export function parseToml(text: string): unknown {
  const bare = text.replace(/^\uFEFF/, "");
  if (last?.text !== bare) last = { text: bare, value: parse(bare, { integersAsBigInt: "asNeeded" }) };
  return last.value;
}
