import { parse } from "smol-toml";
import { remembered } from "../../sections/sections.ts";

/** Parses with smol-toml. Remembers the last result: the reader and the check parse the same text. */
export function parseToml(text: string): unknown {
  return parsed(text.replace(/^\uFEFF/, ""));
}

const parsed = remembered((text) => parse(text, { integersAsBigInt: "asNeeded" }));
