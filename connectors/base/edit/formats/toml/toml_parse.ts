import { parse } from "smol-toml";
import { remembered } from "../../sections/sections.ts";

/** Parses with smol-toml, which is as strict as Codex. */
export function parseToml(text: string): unknown {
  return parse(text.replace(/^\uFEFF/, ""), { integersAsBigInt: "asNeeded" });
}

/** The same. It remembers the last long texts: the reader and the check parse the same ones. */
export const parseWholeToml: (text: string) => unknown = remembered(parseToml);
