import { IDENTITY_FILES } from "../../../hooks/context_text/local_identity.ts";
import { HOST, isDirectory, join, type Surroundings } from "../../../hooks/state/paths.ts";
import { stripSignetBlocks } from "../../../hooks/context_text/signet_block.ts";
import { signetBlock, signetLines, withoutMarks } from "./signet_block.ts";
import { readBounded, type Reading } from "./bounded_read.ts";
import { generatedHeader } from "./header.ts";
import { withinBudget } from "./budget.ts";

export interface ComposeOptions {
  /** Undefined if this machine has no workspace. */
  readonly workspace: string | undefined;
  readonly agentId: string;
  /** The command that runs the connector, as a user types it. */
  readonly binary: string;
  /** Arguments after the name of a command: `-H pi` if one binary serves every harness. */
  readonly which?: string;
  /** A source that the harness reads itself. */
  readonly omit?: string;
  readonly now?: Date;
  readonly host?: Surroundings;
}

export interface Composed {
  /** A whole file, for the rule `own`: header, Signet block, sections. */
  readonly text: string;
  /** The text between the marks, for the rule `block`: the Signet lines and the sections. */
  readonly inner: string;
  /** The files that were read, in order. */
  readonly sources: readonly string[];
  /** Messages for the user: what was skipped, and the reason. */
  readonly warnings: readonly string[];
}

/**
 * The identity of an agent as one text. Undefined without a workspace:
 * identity then comes with session-start, from the daemon.
 */
export function composeIdentity(options: ComposeOptions): Composed | undefined {
  const { workspace, agentId, binary, now = new Date(), host = HOST } = options;
  if (workspace === undefined || !isDirectory(workspace)) return undefined;
  const agentDir = agentDirectory(workspace, agentId, host);
  const warnings: string[] = [];
  const sources: string[] = [];
  const parts: string[] = [];

  for (const { file, heading, budget } of IDENTITY_FILES) {
    const paths = [
      ...(agentDir === undefined ? [] : [join(host, agentDir, file)]),
      join(host, workspace, file),
    ];
    const source = firstPresent(paths);
    if (source === undefined) continue;
    if (source.reading.kind === "problem") {
      warnings.push(source.reading.problem);
      continue;
    }
    sources.push(source.path);
    if (source.path === options.omit) continue;
    const text = cleaned(source.reading.text);
    const body = withinBudget(text, budget, !source.reading.complete);
    if (body !== "") parts.push(`## ${heading}\n\n${body}`);
  }

  const facts = { binary, which: options.which, workspace, agentId };
  const header = generatedHeader(sources[0] ?? join(host, workspace, "AGENTS.md"), workspace, now);
  return {
    text: header + [signetBlock(facts), ...parts].join("\n\n") + "\n",
    inner: [signetLines(facts), ...parts].join("\n\n"),
    sources,
    warnings,
  };
}

/** A source as it is added to the composed text; the file in the workspace is not changed. */
function cleaned(text: string): string {
  return withoutMarks(stripSignetBlocks(text.replaceAll("\r\n", "\n")));
}

/** Only a missing file falls back to the root's: another agent's text must not replace an unreadable file. */
function firstPresent(
  paths: string[],
): { path: string; reading: Exclude<Reading, { kind: "absent" }> } | undefined {
  for (const path of paths) {
    const reading = readBounded(path);
    if (reading.kind !== "absent") return { path, reading };
  }
  return undefined;
}

/** `<workspace>/agents/nicholai/pi`; undefined for an id that must not become a path. */
export function agentDirectory(
  workspace: string,
  agentId: string,
  host: Surroundings = HOST,
): string | undefined {
  const parts = agentId.split("/");
  if (!parts.every((part) => /^[A-Za-z0-9._-]+$/.test(part) && part !== "." && part !== "..")) {
    return undefined;
  }
  return join(host, workspace, "agents", ...parts);
}
