import { applyPlan } from "../install/apply/apply.ts";
import type { Format } from "../edit/edit.ts";
import { realOs } from "../fs/os.ts";
import { planInstall } from "../install/plan/plan_install.ts";
import { planUninstall } from "../install/plan/plan_uninstall.ts";
import { everyTarget, requestFor } from "./scratch.ts";

const SECTIONS: { readonly [F in Format]: (i: number) => string } = {
  yaml: (i) =>
    `section_${i}:\n  name: "some value ${i}" # comment\n  list:\n    - a${i}\n    - {b: 1, c: [1, 2]}\n`,
  toml: (i) => `[section_${i}]\nname = "some value ${i}" # comment\nlist = ["a", 2]\n`,
  jsonc: (i) => `  "section_${i}": {"name": "some value", // comment\n    "list": ["a", {"b": 1}]},\n`,
  json5: (i) => `  section_${i}: {name: 'some value', // comment\n    list: ["a", {b: 1}]},\n`,
  json: (i) => `  "section_${i}": {"name": "some value",\n    "list": ["a", {"b": 1}]},\n`,
};

export const FORMATS: readonly Format[] = ["yaml", "toml", "jsonc", "json5", "json"];

/** A config of at least so many characters. */
export function largeConfig(format: Format, chars: number): string {
  const braces = format.startsWith("json");
  let text = braces ? "{\n" : "";
  for (let i = 0; text.length < chars; i++) text += SECTIONS[format](i);
  return braces ? text + '  "end": 1\n}\n' : text;
}

/** Installs into one config in a home that `scratchHome()` made, and uninstalls from it. */
export function oneConfig(home: string, path: string, format: Format) {
  const [target] = everyTarget(home);
  if (target?.kind !== "edit") throw new Error("The first target is not the config.");
  const request = requestFor(home, [{ ...target, path, format }]);
  return {
    install: async () => void await applyPlan(realOs, await planInstall(realOs, request)),
    uninstall: async () => void await applyPlan(realOs, await planUninstall(realOs, request)),
  };
}
