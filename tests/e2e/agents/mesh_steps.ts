import { assertEquals } from "@std/assert";
import { AgentSessions, type ListedSession } from "../../../hooks/agents/sessions/session.ts";
import { offersTools } from "../model/main_requests.ts";
import { REPLY, type Script } from "../model/turn.ts";
import type { Stage } from "../stage.ts";
import { poll } from "../watch.ts";
import type { MeshKit } from "./mesh_kit.ts";

/** The first words of the line above every message. */
export const NOTICE = "Messages from other agents follow.";

/** The live sessions in the home. */
export function sessions(stage: Stage): ListedSession[] {
  return new AgentSessions(meshDir(stage)).list();
}

export function meshDir(stage: Stage): string {
  return stage.at(".local/state/signet/agents");
}

/** Runs a shell command in answer to the first request of the conversation with the mark. */
export function shellOnce(kit: Pick<MeshKit, "shell">, mark: string, command: string): Script {
  let called = false;
  return (request) => {
    if (called || !offersTools(request) || !request.raw.includes(mark)) return { text: REPLY };
    called = true;
    return { tool: kit.shell(request, command) };
  };
}

export function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** The processes of this home that wait for messages. */
async function waiters(stage: Stage): Promise<string[]> {
  const found: string[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const words = await Deno.readTextFile(`/proc/${name}/cmdline`).catch(() => "");
    if (words.includes(stage.root) && words.includes("wait-for-messages")) found.push(name);
  }
  return found;
}

export async function leavesNoWaiter(stage: Stage, title: string): Promise<void> {
  await stage.check(title, async () => {
    assertEquals(await poll(() => waiters(stage), (found) => found.length === 0), []);
  });
}
