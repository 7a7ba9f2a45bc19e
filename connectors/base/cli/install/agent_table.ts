import { type AgentEntry, parseAgents } from "../../../../hooks/daemon/agent_keys.ts";
import { parseObject } from "../../../../hooks/json.ts";
import { absolutePath } from "../../../../hooks/state/absolute_path.ts";
import {
  credentialsPath,
  isDirectory,
  parentDir,
  stateDir,
  type Surroundings,
} from "../../../../hooks/state/paths.ts";
import { readPrivateFile } from "../../../../hooks/state/private_file.ts";
import { atomicWrite } from "../../fs/atomic_write.ts";
import { realOs } from "../../fs/os.ts";
import { encode } from "../../fs/text_bytes.ts";
import type { Harness } from "../../harness.ts";
import { acquire, lockPath } from "../../install/apply/lock.ts";
import { EXIT, UserError } from "../command.ts";

/** The agents in a harness's settings file; empty if there is no usable file. */
export function readAgents(harness: Harness, host: Surroundings): AgentEntry[] {
  const path = credentialsPath(harness.id, host);
  const file = path === undefined ? undefined : readPrivateFile(path, host);
  return file?.kind === "text" ? parseAgents(parseObject(file.text)?.agents) : [];
}

/**
 * Changes the agents in a harness's settings file and keeps everything else in it.
 *
 * @throws {UserError} if the harness is not installed, or its settings cannot be used
 */
export async function changeAgents(
  harness: Harness,
  host: Surroundings,
  change: (agents: readonly AgentEntry[]) => readonly AgentEntry[],
): Promise<void> {
  const path = credentialsPath(harness.id, host);
  const dir = stateDir(harness.id, host);
  if (path === undefined || dir === undefined) {
    throw new UserError("HOME is not set, so the settings cannot be found.", EXIT.usage, "Set HOME.");
  }
  // Credentials can be kept without an install: then there is no directory for the lock, and no one to lock out.
  const lock = lockPath(dir);
  const held = isDirectory(parentDir(lock)) ? await acquire(realOs, lock) : undefined;
  try {
    const { agents: before, ...rest } = readFields(harness, path, host);
    const agents = change(parseAgents(before));
    const text = JSON.stringify(agents.length === 0 ? rest : { ...rest, agents }, null, 2) + "\n";
    await atomicWrite(realOs, path, encode(text), 0o600);
  } finally {
    await held?.release();
  }
}

function readFields(harness: Harness, path: string, host: Surroundings): Record<string, unknown> {
  const file = readPrivateFile(path, host);
  if (file.kind === "problem") throw new UserError(file.problem, EXIT.file);
  const fields = file.kind === "text" ? parseObject(file.text) : undefined;
  if (fields !== undefined) return fields;
  throw new UserError(
    `${harness.displayName} is not connected, so there are no settings to add an agent to.`,
    EXIT.failed,
    `${harness.binary} install --url URL --api-key-file FILE`,
  );
}

/** Adds an agent, or changes its key or gives it a directory. A directory has one agent. */
export function withAgent(
  agents: readonly AgentEntry[],
  id: string,
  { apiKey, projects = [] }: { apiKey?: string; projects?: readonly string[] },
): AgentEntry[] {
  const others = agents.filter((agent) => agent.id !== id).map((agent) => ({
    ...agent,
    projects: agent.projects.filter((project) => !projects.includes(project)),
  }));
  const old = agents.find((agent) => agent.id === id);
  const key = apiKey ?? old?.apiKey;
  return [...others, {
    id,
    ...(key !== undefined && { apiKey: key }),
    projects: [...new Set([...old?.projects ?? [], ...projects])],
  }];
}

/** Removes an agent, or takes a directory from it. */
export function withoutAgent(
  agents: readonly AgentEntry[],
  id: string,
  projects: readonly string[] | undefined,
): AgentEntry[] {
  if (projects === undefined) return agents.filter((agent) => agent.id !== id);
  return agents.map((agent) =>
    agent.id === id
      ? { ...agent, projects: agent.projects.filter((project) => !projects.includes(project)) }
      : agent
  );
}

/** A directory as harnesses may name it: as it was given, and without symbolic links. */
export async function projectPaths(text: string, host: Surroundings): Promise<string[]> {
  const path = absolutePath(text, host, Deno.cwd()) ?? text;
  try {
    return [...new Set([path, await Deno.realPath(path)])];
  } catch {
    return [path];
  }
}
