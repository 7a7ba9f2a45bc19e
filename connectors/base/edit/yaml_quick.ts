import { parse } from "@std/yaml";
import type { Json } from "./edit.ts";
import { asJson } from "./json_value.ts";
import { LARGE } from "./yaml_sections.ts";
import { withoutTags } from "./yaml_tags.ts";

/** The value of a large YAML file, where only that is asked; undefined if the slow reader has to say what is wrong with it. */
export function quickYaml(text: string): Json | undefined {
  if (text.length < LARGE) return undefined;
  try {
    return asJson(parse(withoutTags(text.replace(/^\uFEFF/, "")), { allowDuplicateKeys: false }));
  } catch {
    return undefined;
  }
}
