import { supportText } from "../../connectors/base/cli/commands/capabilities.ts";
import { COMMANDS } from "../../connectors/base/cli/commands.ts";
import type { Facet, Harness, Site } from "../../connectors/base/harness.ts";
import { placeholderSite } from "../../connectors/base/site/placeholder_site.ts";
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

/** What each harness can carry, as a table: one row per harness. */
export function matrix(): string {
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;
  const head = ["harness", "binary", ...Object.values(FACETS)];
  return row(head) + row(head.map(() => "---")) + HARNESSES.map((harness) =>
    row([
      harness.displayName,
      `\`${harness.binary}\``,
      ...facets(harness).map(({ support }) =>
        support === "yes" ? "yes" : "partly" in support ? "partly" : "no"
      ),
    ])
  ).join("");
}

/** Text of ours as Markdown shows it. */
export const plain = (text: string) => text.replaceAll("<", "\\<");

const tilde = (path: string) => path.replaceAll("/home/u/", "~/");

/** Set-up and known limits of every connector, from its descriptor. */
export function sections(): string {
  return HARNESSES.map((harness) => section(harness)).join("\n");
}

function section(harness: Harness): string {
  const site = placeholderSite(harness, { program: `/home/u/.local/bin/${harness.binary}` });
  const list = (items: readonly string[]) => items.map((item) => `- ${item}\n`).join("");
  const own = COMMANDS.flatMap(({ flags }) => flags).filter((flag) => flag.harness === harness.id);
  const limits = [
    ...facets(harness).flatMap(({ facet, support }) =>
      support === "yes" ? [] : [`${FACETS[facet]}, ${plain(supportText(support))}`]
    ),
    ...harness.assumed ? [`assumed, and not seen on a running program: ${plain(harness.assumed)}`] : [],
  ];
  return `## ${harness.displayName}

Binary \`${harness.binary}\`, harness id \`${harness.id}\`. It is found by its directory, \`${
    tilde(harness.configDir(site))
  }\`.

### Set-up

<!-- run: install -->

\`\`\`sh
${harness.binary} install --url https://signet-home.tailnet:3850 --api-key-file key.txt --agent-id work-laptop
\`\`\`

\`${harness.binary} doctor\` then proves that it works.

An install without flags of its own touches:

${list(touched(harness, site))}
${
    own.length
      ? `Flags that only this one has:\n\n${
        list(own.map(({ name, summary }) => `\`--${name}\`: ${summary}`))
      }\n`
      : ""
  }Then:

${list(harness.notes(site))}
The hooks, and the time that each is given:

${hooks(harness)}
### Known limits

${limits.length ? list(limits) : "None that is known: everything that Signet offers gets through.\n"}`;
}

function touched(harness: Harness, site: Site): string[] {
  const identity = harness.identity(site);
  const skills = harness.skillsDir(site);
  return [
    ...harness.targets(site).map(({ path, kind }) =>
      `\`${tilde(path)}\`${kind === "edit" ? ": our entries, among yours" : ": our own file"}`
    ),
    ...identity
      ? [
        `\`${tilde(identity.path)}\`: the identity${
          identity.rule === "block" ? ", between marks if the file is yours" : ", if the file is not yours"
        }`,
      ]
      : [],
    ...skills
      ? [
        `\`${
          tilde(skills)
        }\`: the skills \`signet-remember\` and \`signet-recall\`, and links to the workspace's${
          harness.readsAgentSkills ? ", where that is not `~/.agents`, which it reads itself" : ""
        }`,
      ]
      : [],
  ];
}

function hooks(harness: Harness): string {
  const rows = Object.entries(harness.events).map(([event, { native, timeoutMs }]) =>
    `| ${event} | \`${native}\` | ${timeoutMs / 1000} s |\n`
  );
  return `| Signet's event | ${harness.displayName}'s | timeout |\n| --- | --- | --- |\n${rows.join("")}`;
}
