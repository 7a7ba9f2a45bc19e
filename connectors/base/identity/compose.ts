import { IDENTITY_FILES } from "../../../hooks/context_text/local_identity.ts";
import { HOST, isDirectory, join, type Surroundings } from "../../../hooks/state/paths.ts";
import { stripSignetBlocks } from "../../../hooks/context_text/signet_block.ts";
import { signetBlock, signetLines, withoutMarks } from "./signet_block.ts";
import { readBounded, type Reading } from "./bounded_read.ts";
import { generatedHeader } from "./header.ts";
import { withinBudget } from "./budget.ts";

export interface ComposeOptions {
  /** Undefined on a machine that has no workspace. */
  readonly workspace: string | undefined;
  readonly agentId: string;
  /** What a person types to run the connector. */
  readonly binary: string;
  /** What follows a command's name: `-H pi` where one binary serves every harness. */
  readonly which?: string;
  readonly now?: Date;
  readonly host?: Surroundings;
}

export interface Composed {
  /** A whole file, for the rule `own`: header, Signet block, sections. */
  readonly text: string;
  /** What goes between the marks, for the rule `block`: the Signet lines and the sections. */
  readonly inner: string;
  /** The files that were read, in order. */
  readonly sources: readonly string[];
  /** Every file that would be read if it were there. */
  readonly candidates: readonly string[];
  /** Sentences for the user: what was left out, and why. */
  readonly warnings: readonly string[];
}

/**
 * The identity of an agent as one text. Undefined where there is no workspace:
 * identity then comes with session-start, from the daemon.
 */
export function composeIdentity(options: ComposeOptions): Composed | undefined {
  const { workspace, agentId, binary, now = new Date(), host = HOST } = options;
  if (workspace === undefined || !isDirectory(workspace)) return undefined;
  const own = agentDirectory(workspace, agentId, host);
  const warnings: string[] = [];
  const sources: string[] = [];
  const candidates: string[] = [];
  const parts: string[] = [];

  for (const { file, heading, budget } of IDENTITY_FILES) {
    const paths = [...(own === undefined ? [] : [join(host, own, file)]), join(host, workspace, file)];
    candidates.push(...paths);
    const found = firstPresent(paths);
    if (found === undefined) continue;
    if (found.reading.kind === "problem") {
      warnings.push(found.reading.problem);
      continue;
    }
    sources.push(found.path);
    const text = cleaned(found.reading.text);
    const body = withinBudget(text, budget, !found.reading.complete);
    if (body !== "") parts.push(`## ${heading}\n\n${body}`);
  }

  const facts = { binary, which: options.which, workspace, agentId };
  const header = generatedHeader(sources[0] ?? join(host, workspace, "AGENTS.md"), workspace, now);
  return {
    text: header + [signetBlock(facts), ...parts].join("\n\n") + "\n",
    inner: [signetLines(facts), ...parts].join("\n\n"),
    sources,
    candidates,
    warnings,
  };
}

/** The source as it enters the composed text; the file in the workspace stays as it is. */
function cleaned(text: string): string {
  return withoutMarks(stripSignetBlocks(text.replaceAll("\r\n", "\n")));
}

/** Only absence falls back to the root's file: another agent's text must not stand in for an unreadable one. */
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
