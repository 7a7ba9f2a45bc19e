import type { Format } from "./edit.ts";
import { JSON5_SYNTAX } from "./json5.ts";
import { JSON_SYNTAX, JSONC_SYNTAX } from "./jsonc.ts";
import type { Syntax } from "./syntax.ts";
import { TOML_SYNTAX } from "./toml.ts";
import { YAML_SYNTAX } from "./yaml.ts";

export const SYNTAX: { readonly [F in Format]: Syntax } = {
  yaml: YAML_SYNTAX,
  json: JSON_SYNTAX,
  jsonc: JSONC_SYNTAX,
  json5: JSON5_SYNTAX,
  toml: TOML_SYNTAX,
};
