import "./common.ts";
import type { AgentCall } from "../call.ts";
import { handleOf } from "../sessions/handle.ts";
import { appendLine } from "./lock_log.ts";
import { Locks } from "./locks.ts";
import { targetPath } from "./targets/target_path.ts";
import { toolTargets } from "./targets/tool_targets.ts";
import { callId, cwdOf, ownerOf } from "./tool_call.ts";

/** Records what a tool has written, and finds writes to files that others have locked. */
export async function recordWrites(call: AgentCall): Promise<string | undefined> {
  const { agents, dir, session, tool, input } = call;
  if (tool === undefined || agents.tools === undefined) return undefined;
  const locks = new Locks(dir);
  const owner = ownerOf(session);
  const lost = locks.renew(owner);
  const cwd = cwdOf(call);
  const writes = await toolTargets(agents.tools, tool, input.tool_input, cwd);
  if (writes === undefined) return undefined;
  const now = locks.dir.now();
  for (const target of writes.targets) {
    if (target.tree || target.pattern !== undefined) continue;
    const [path = target.path] = targetPath(target.path, "/").paths;
    // A shell line may have done nothing; an editing tool that fails has no such hook.
    if (writes.isShell && !changedLately(path, now)) continue;
    appendLine(locks.changesPath, {
      at: new Date(now).toISOString(),
      path,
      harness: owner.harness,
      session: owner.session,
      agentId: owner.agentId,
      tool,
    });
  }
  const texts: string[] = [];
  if (writes.unknown.length > 0) {
    const { LockWatch } = await import("./shell_calls.ts");
    for (const lock of new LockWatch(locks, owner).end(callId(call))) {
      locks.log("violated", lock, owner, tool);
      (await import("./lock_notices.ts")).tellOwner(call, lock);
      texts.push(
        `This tool call changed ${lock.path}, which ${
          handleOf({ harness: lock.harness, key: lock.session })
        } has ` +
          "locked. They were notified. Do not write to it again; tell the user what was changed, or restore it.",
      );
    }
  }
  for (const lock of lost) {
    locks.forget(lock);
    texts.push(`Your lock on ${lock.path} has ended. Read the file again before you edit it.`);
  }
  return texts.length === 0 ? undefined : texts.join("\n");
}

/** An older file was not written by this call, unless the call took longer than harnesses let it. */
const RECENT_MS = 60_000;

function changedLately(path: string, now: number): boolean {
  try {
    return now - (Deno.statSync(path).mtime?.getTime() ?? 0) < RECENT_MS;
  } catch {
    return false;
  }
}
