import { BLOCK_END, BLOCK_START } from "../../../hooks/context_text/signet_block.ts";

export interface BlockFacts {
  /** What a person types: `signet-pyagent`, or its path where it is not on PATH. */
  readonly binary: string;
  /** What follows a command's name: `-H pi` where one binary serves every harness. */
  readonly which?: string;
  readonly workspace: string;
  readonly agentId: string;
}

/** A path or name on one line that cannot end the block it stands in. */
function inline(text: string): string {
  return withoutMarks(text).replace(/[\r\n]+/g, " ").replaceAll("`", "'");
}

/** What an agent has to know about its memory, between the Signet marks. */
export function signetBlock(facts: BlockFacts): string {
  return `${BLOCK_START}\n${signetLines(facts)}\n${BLOCK_END}`;
}

/** The block's text without its marks: what stands in front of the composed identity where both share the marks. */
export function signetLines(facts: BlockFacts): string {
  const binary = inline(facts.binary);
  const workspace = inline(facts.workspace);
  const which = facts.which ? ` ${inline(facts.which)}` : "";
  return `## Signet

The memory and identity of this agent (\`${inline(facts.agentId)}\`) are kept by Signet.

- The sources are in \`${workspace}\`: AGENTS.md, SOUL.md, IDENTITY.md, USER.md, MEMORY.md.
- To look something up, call the MCP tool \`memory_search\`, or run \`${binary} recall${which} "QUERY"\`.
- To keep something, call the MCP tool \`memory_store\`, or run \`${binary} remember${which} "TEXT"\`.
- Memories that fit the conversation are added to it without asking; when none are, continue without.
- What stands between the Signet marks is generated. Edit the sources, then run \`${binary} sync${which}\`.`;
}

/** Marks inside composed text would end our block early; spelled with a hyphen they are still readable. */
export function withoutMarks(text: string): string {
  return text.replaceAll(BLOCK_START, "<!-- SIGNET-START -->").replaceAll(BLOCK_END, "<!-- SIGNET-END -->");
}
