// Installs into a config of a megabyte in every format, and prints how much work each was: {"yaml": 410, …} in ms.
import process from "node:process";
import { applyPlan } from "../install/apply.ts";
import { realOs } from "../fs/os.ts";
import { planInstall } from "../install/plan_install.ts";
import { planUninstall } from "../install/plan_uninstall.ts";
import { everyTarget, requestFor, withHome } from "./scratch.ts";

const SECTIONS = {
  yaml: (i: number) =>
    `section_${i}:\n  name: "some value ${i}" # comment\n  list:\n    - a${i}\n    - {b: 1, c: [1, 2]}\n`,
  toml: (i: number) => `[section_${i}]\nname = "some value ${i}" # comment\nlist = ["a", 2]\n`,
  jsonc: (i: number) =>
    `  "section_${i}": {"name": "some value", // comment\n    "list": ["a", {"b": 1}]},\n`,
  json5: (i: number) => `  section_${i}: {name: 'some value', // comment\n    list: ["a", {b: 1}]},\n`,
  json: (i: number) => `  "section_${i}": {"name": "some value",\n    "list": ["a", {"b": 1}]},\n`,
};

const spent: Record<string, number> = {};
for (const format of ["yaml", "toml", "jsonc", "json5", "json"] as const) {
  await withHome({}, async (home) => {
    const braces = format.startsWith("json");
    let text = braces ? "{\n" : "";
    for (let i = 0; text.length < 1_000_000; i++) text += SECTIONS[format](i);
    if (braces) text += '  "end": 1\n}\n';
    const path = `${home}/large.${format}`;
    await Deno.writeTextFile(path, text);
    const [target] = everyTarget(home);
    if (target?.kind !== "edit") throw new Error("the first target is the config");
    const request = requestFor(home, [{ ...target, path, format }]);
    const began = process.cpuUsage();
    await applyPlan(realOs, await planInstall(realOs, request));
    const { user, system } = process.cpuUsage(began);
    spent[format] = Math.round((user + system) / 1000);
    await applyPlan(realOs, await planUninstall(realOs, request));
    if (await Deno.readTextFile(path) !== text) throw new Error(`${format} did not come back`);
  });
}
console.log(JSON.stringify(spent));
