import { BLOCK_END, BLOCK_START } from "../../../hooks/context_text/signet_block.ts";

export interface BlockFacts {
  /** The command of the connector: `signet-pyagent`, or its path if it is not on PATH. */
  readonly binary: string;
  /** Arguments after the name of a command: `-H pi` if one binary serves every harness. */
  readonly which?: string;
  readonly workspace: string;
  readonly agentId: string;
}

/** A path or name on one line, without marks that would end the block. */
function inline(text: string): string {
  return withoutMarks(text).replace(/[\r\n]+/g, " ").replaceAll("`", "'");
}

/** What an agent needs to know about its memory, between the Signet marks. */
export function signetBlock(facts: BlockFacts): string {
  return `${BLOCK_START}\n${signetLines(facts)}\n${BLOCK_END}`;
}

/** The text of the block without its marks, for a block that also holds the composed identity. */
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

/** Marks inside composed text would end the block early; with a hyphen they stay readable. */
export function withoutMarks(text: string): string {
  return text.replaceAll(BLOCK_START, "<!-- SIGNET-START -->").replaceAll(BLOCK_END, "<!-- SIGNET-END -->");
}
