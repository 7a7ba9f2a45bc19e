import { supportText } from "../../connectors/base/cli/commands/capabilities.ts";
import { COMMANDS } from "../../connectors/base/cli/commands.ts";
import type { Facet, Harness, HarnessEvent, Site, Support } from "../../connectors/base/harness.ts";
import { placeholderSite } from "../../connectors/base/site/placeholder_site.ts";
import { supportAt } from "../../connectors/base/versions/support_at.ts";
import { HARNESSES } from "../../connectors/registry.ts";

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

/** The setup and the known limits of every connector, from its descriptor. */
export function sections(): string {
  return HARNESSES.map((harness) => section(harness)).join("\n");
}

function section(harness: Harness): string {
  const site = placeholderSite(harness, { program: `/home/u/.local/bin/${harness.binary}` });
  const list = (items: readonly string[]) => items.map((item) => `- ${item}\n`).join("");
  const ownFlags = COMMANDS.flatMap(({ flags }) => flags).filter((flag) => flag.harness === harness.id);
  const limits = [
    ...facets(harness).flatMap(({ facet, support }) =>
      support === "yes" ? [] : [`${FACETS[facet]}, ${plain(supportText(support))}`]
    ),
    ...olderLimits(harness),
    ...harness.assumed ? [`assumed, not tested with a running program: ${plain(harness.assumed)}`] : [],
  ];
  return `## ${harness.displayName}

Binary \`${harness.binary}\`, harness id \`${harness.id}\`. Its directory is \`${
    tilde(harness.configDir(site))
  }\`.

### Setup

<!-- run: install -->

\`\`\`sh
${harness.binary} install --url https://signet-home.tailnet:3850 --api-key-file key.txt --agent-id work-laptop
\`\`\`

\`${harness.binary} doctor\` then checks that it works.

An install writes:

${list(touched(harness, site))}
${
    ownFlags.length
      ? `Flags for this harness only:\n\n${
        list(ownFlags.map(({ name, summary }) => `\`--${name}\`: ${summary}`))
      }\n`
      : ""
  }Then:

${list(harness.notes(site))}
The hooks and their timeouts:

${hooks(harness)}
### Known limits

${limits.length ? list(limits) : "None known: every feature of Signet is supported.\n"}`;
}

function touched(harness: Harness, site: Site): string[] {
  const identity = harness.identity(site);
  const skills = harness.skillsDir(site);
  return [
    ...harness.targets(site).map(({ path, kind }) =>
      `\`${tilde(path)}\`${kind === "edit" ? ": our entries, next to yours" : ": our file"}`
    ),
    ...identity
      ? [
        `\`${tilde(identity.path)}\`: the identity${
          identity.rule === "block" ? ", between marks if you wrote the file" : ", unless you wrote the file"
        }`,
      ]
      : [],
    ...skills
      ? [
        `\`${
          tilde(skills)
        }\`: the skills \`signet-remember\` and \`signet-recall\`, and links to those of the workspace${
          harness.readsAgentSkills ? ", unless that is `~/.agents`, which it reads itself" : ""
        }`,
      ]
      : [],
  ];
}

function hooks(harness: Harness): string {
  const rows = Object.entries(harness.events).map(([event, at]) =>
    `| ${event} | \`${at.native}\`${versionNote(at)} | ${at.timeoutMs / 1000} s |\n`
  );
  return `| Signet's event | ${harness.displayName}'s | timeout |\n| --- | --- | --- |\n${rows.join("")}`;
}

/** Which versions an event is installed for, if not for all. */
function versionNote({ since, before }: HarnessEvent): string {
  if (since !== undefined) return ` (from ${since})`;
  return before === undefined ? "" : ` (below ${before})`;
}
