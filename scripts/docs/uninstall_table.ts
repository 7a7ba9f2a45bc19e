import type { Edit } from "../../connectors/base/edit/edit.ts";
import type { Harness, InstallFlags, Target } from "../../connectors/base/harness.ts";
import { placeholderSite } from "../../connectors/base/site/placeholder_site.ts";
import { HARNESSES } from "../../connectors/registry.ts";
import { tilde } from "./harness_docs.ts";

const WORKSPACE = "/home/u/.agents";

/** Flags that make a descriptor write more than by default. */
const FLAGS: Partial<InstallFlags>[] = [
  {},
  { trustHooks: true, setWorkspace: true },
  { legacyHooks: true, setWorkspace: true },
];

/** What an install may leave in each harness's directory, as a table: config files, then entries and files. */
export function uninstallTable(): string {
  const rows = HARNESSES.map((harness) => {
    const targets = everyTarget(harness);
    const [first = "", ...others] = harness.configFiles;
    const files = unique(
      targets.filter(({ kind }) => kind === "edit").map(({ path }) => `\`${tilde(path)}\``),
    );
    const alternatives = files.some((file) => file.includes(first)) && others.length > 0
      ? ` (or ${others.map((name) => `\`${name}\``).join(", ")})`
      : "";
    return `| ${harness.displayName} | ${files.join(", ")}${alternatives} | ${
      besides(targets).join(", ")
    } |\n`;
  });
  return `| harness | files | besides hooks and MCP server |\n| --- | --- | --- |\n${rows.join("")}`;
}

/** The targets of every kind of install, with and without a user's instruction file. */
function everyTarget(harness: Harness): Target[] {
  return FLAGS.flatMap((flags) => {
    const site = placeholderSite(harness, { flags, workspace: WORKSPACE });
    const files = { [site.path("AGENTS.md")]: "" };
    const other = placeholderSite(harness, { flags, files, workspace: WORKSPACE });
    return [...harness.targets(site), ...harness.targets(other)];
  });
}

function besides(targets: readonly Target[]): string[] {
  const entries = targets.flatMap((target) => target.kind === "edit" ? target.edits.flatMap(entry) : []);
  const files = targets.filter(({ kind }) => kind === "file").map(({ path }) =>
    // A folder with our name holds nothing else.
    `\`${tilde(path).replace(/(\/signet-[a-z]+\/)[^/]+$/, "$1")}\``
  );
  return unique([...entries, ...files]);
}

/** An entry that is neither a hook command nor the MCP server, as a cell names it. */
function entry(edit: Edit): string[] {
  const [last] = edit.path.slice(-1);
  if (last === "signet" || edit.path.join(".") === "hooks.internal.enabled") return [];
  if (edit.path.join(".").startsWith("hooks.state.")) return ['`[hooks.state."…"]` of our hooks'];
  const condition = edit.value === WORKSPACE ? " if it is the Signet workspace" : "";
  if (edit.kind !== "item") return [`\`${edit.path.join(".")}\`${condition}`];
  return typeof edit.value === "string" ? [`\`${tilde(edit.value)}\` in \`${edit.path.join(".")}\``] : [];
}

const unique = (items: readonly string[]) => [...new Set(items)];
