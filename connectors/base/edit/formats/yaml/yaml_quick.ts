import { parse } from "@std/yaml";
import type { Json } from "../../edit.ts";
import { asJson } from "../../json_value.ts";
import { LARGE } from "../../sections/sections.ts";
import { withoutTags } from "./yaml_tags.ts";

/** The value of a large YAML file without offsets; undefined if it does not parse, so that the slow reader reports the error. */
export function quickYaml(text: string): Json | undefined {
  if (text.length < LARGE) return undefined;
  try {
    return asJson(parse(withoutTags(text.replace(/^\uFEFF/, "")), { allowDuplicateKeys: false }));
  } catch {
    return undefined;
  }
}
