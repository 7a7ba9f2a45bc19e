import type { Format } from "../edit.ts";
import { JSON5_SYNTAX } from "./json/json5.ts";
import { JSON_SYNTAX, JSONC_SYNTAX } from "./json/jsonc.ts";
import type { Syntax } from "./syntax.ts";
import { TOML_SYNTAX } from "./toml/toml.ts";
import { YAML_SYNTAX } from "./yaml/yaml.ts";

export const SYNTAX: { readonly [F in Format]: Syntax } = {
  yaml: YAML_SYNTAX,
  json: JSON_SYNTAX,
  jsonc: JSONC_SYNTAX,
  json5: JSON5_SYNTAX,
  toml: TOML_SYNTAX,
};
