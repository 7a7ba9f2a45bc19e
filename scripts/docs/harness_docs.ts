import { supportText } from "../../connectors/base/cli/commands/capabilities.ts";
import { COMMANDS } from "../../connectors/base/cli/commands.ts";
import type { Facet, Harness, HarnessEvent, Support } from "../../connectors/base/harness.ts";
import { placeholderSite } from "../../connectors/base/site/placeholder_site.ts";
import { supportAt } from "../../connectors/base/versions/support_at.ts";
import { HARNESSES } from "../../connectors/registry.ts";
import { EVENT_NAMES, type EventName } from "../../hooks/event.ts";

const FACETS: { readonly [F in Facet]: string } = {
  "session-start": "session start",
  "prompt-submit": "each prompt",
  "pre-compaction": "before compaction",
  "post-compaction": "after compaction",
  "session-end": "session end",
  tools: "memory tools",
  identity: "identity",
};

const facets = (harness: Harness) =>
  (Object.keys(FACETS) as Facet[]).map((facet) => ({ facet, support: harness.fidelity[facet] }));

/** Which features each harness supports, as a table: one row per harness. */
export function matrix(): string {
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;
  const head = ["harness", "binary", ...Object.values(FACETS)];
  return row(head) + row(head.map(() => "---")) + HARNESSES.map((harness) =>
    row([
      harness.displayName,
      `\`${harness.binary}\``,
      ...facets(harness).map(({ support }) => word(support)),
    ])
  ).join("");
}

/** What was seen to work in each version of each harness, as a table: one row per version that was run. */
export function versionTable(): string {
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;
  const head = ["harness", "version", ...Object.values(FACETS), "run on"];
  const rows = HARNESSES.flatMap((harness) =>
    (harness.versions?.tried ?? []).toReversed().map((version) => {
      const support = supportAt(harness, version);
      const cells = (Object.keys(FACETS) as Facet[]).map((facet) => word(support[facet]));
      return row([harness.displayName, version, ...cells, harness.versions?.date ?? ""]);
    })
  );
  return row(head) + row(head.map(() => "---")) + rows.join("");
}

function word(support: Support): string {
  return support === "yes" ? "yes" : "partly" in support ? "partly" : "no";
}

/** What older versions of a harness lack. */
function olderLimits({ versions }: Harness): string[] {
  return (versions?.older ?? []).flatMap(({ below, limits }) =>
    (Object.entries(limits) as [Facet, Support][]).map(([facet, support]) =>
      `below ${below}: ${FACETS[facet]}, ${plain(supportText(support))}`
    )
  );
}

/** Text that Markdown shows unchanged. */
export const plain = (text: string) => text.replaceAll("<", "\\<");

export const tilde = (path: string) => path.replaceAll("/home/u/", "~/");

/** Where each harness keeps what an install writes, its events, and what is special about it. */
export function sections(): string {
  return [
    "## Files\n",
    table(
      ["harness", "id", "our entries and files", "identity", "skills"],
      HARNESSES.map(fileRow),
    ),
    "¹ Between marks, if you wrote the file. ² Left alone, if you wrote the file. ³ Skills of a workspace in " +
    "`~/.agents` are not linked, because it reads them itself. The skills `signet-remember` and `signet-recall` " +
    "are always written.\n",
    "## Events and timeouts\n",
    table(
      ["event", ...HARNESSES.map(({ displayName }) => displayName)],
      EVENT_NAMES.map((event) => [event, ...HARNESSES.map((harness) => eventCell(harness, event))]),
    ),
    "## Agents\n",
    "With `install --agents` (see [agents.md](agents.md)), a message from another agent arrives:\n",
    table(["harness", "while it works", "while it is idle", "hooks"], HARNESSES.map(agentRow)),
    "## What is special\n",
    ...HARNESSES.map(specialties),
  ].join("\n");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;
  return line(head) + line(head.map(() => "---")) + rows.map(line).join("");
}

const siteOf = (harness: Harness) =>
  placeholderSite(harness, { program: `/home/u/.local/bin/${harness.binary}` });

function fileRow(harness: Harness): string[] {
  const site = siteOf(harness);
  const identity = harness.identity(site);
  const skills = harness.skillsDir(site);
  const code = (path: string) => `\`${tilde(path)}\``;
  return [
    harness.displayName,
    `\`${harness.id}\``,
    harness.targets(site).map(({ path }) => code(path)).join(", "),
    identity ? `${code(identity.path)}${identity.rule === "block" ? "¹" : "²"}` : "",
    skills ? `${code(skills)}${harness.readsAgentSkills ? "³" : ""}` : "",
  ];
}

function agentRow({ displayName, agents }: Harness): string[] {
  if (agents === undefined) return [displayName, "–", "–", ""];
  const hooks = Object.values(agents.events).map((event) => `\`${event.native}\`${versionNote(event)}`);
  const { working, idle } = agents.abilities;
  return [displayName, plain(working), plain(idle), [...new Set(hooks)].join(", ")];
}

function eventCell({ events }: Harness, event: EventName): string {
  const known = events[event];
  return known === undefined ? "" : `\`${known.native}\` ${known.timeoutMs / 1000} s${versionNote(known)}`;
}

/** The same for every harness, so it is not repeated for each. */
const RESTART = /when it starts: restart any running session\.$/;

function specialties(harness: Harness): string {
  const site = siteOf(harness);
  const flags = COMMANDS.flatMap(({ flags }) => flags).filter((flag) => flag.harnesses?.includes(harness.id));
  const items = [
    ...facets(harness).flatMap(({ facet, support }) =>
      support === "yes" ? [] : [`${FACETS[facet]}, ${plain(supportText(support))}`]
    ),
    ...olderLimits(harness),
    ...flags.map(({ name, summary }) => `\`--${name}\`: ${summary}`),
    ...harness.notes(site).filter((note) => !RESTART.test(note)),
    ...harness.assumed ? [`assumed, not tested with a running program: ${plain(harness.assumed)}`] : [],
  ];
  const list = items.length > 0 ? items : ["nothing: every feature of Signet is supported"];
  return `### ${harness.displayName}\n\n${list.map((item) => `- ${item}\n`).join("")}`;
}

/** Which versions an event is installed for, if not for all. */
function versionNote({ since, before }: HarnessEvent): string {
  if (since !== undefined) return ` (from ${since})`;
  return before === undefined ? "" : ` (below ${before})`;
}
