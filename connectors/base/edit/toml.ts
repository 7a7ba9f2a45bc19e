import type { Syntax } from "./syntax.ts";
export const TOML_SYNTAX: Syntax = {
  read() {
    throw new Error("soon");
  },
  write: () => [],
};
