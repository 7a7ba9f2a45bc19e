import "../common.ts";
import { isObject } from "../../json.ts";
import type { AgentCall } from "../call.ts";
import { mayExist } from "../../state/paths.ts";
import { sessionName } from "../dir.ts";
import { LockDir } from "./lock_dir.ts";
import { hasOtherNames, isAbsolute, MAX_PATH, readings, targetPath } from "./targets/target_path.ts";

/**
 * Whether a call edits one file that certainly nobody has locked, in a session without
 * locks: then the rest of the code of locks is not loaded. A call that needs a closer
 * look is not free.
 */
export function isFree({ agents, dir, session, tool = "", input }: AgentCall): boolean {
  const writes = agents.tools?.[tool];
  const fields = isObject(input.tool_input) ? input.tool_input : {};
  const path = writes !== undefined && "paths" in writes ? fields[writes.paths[0] ?? ""] : undefined;
  if (typeof path !== "string" || !isAbsolute(path) || path.includes("\0") || path.length > MAX_PATH) {
    return false;
  }
  if (readings(path).length > 1) return false;
  const { harness, key } = session;
  try {
    const locks = new LockDir(`${dir}/locks`);
    // This session may have a lease to renew, and another clone a lock on the same file.
    if (mayExist(`${locks.path}/held/${sessionName(harness, key)}`) || mayExist(`${locks.path}/shared`)) {
      return false;
    }
    const target = targetPath(path, "/");
    return !hasOtherNames(target.paths) && locks.holder(target, { harness, session: key }) === undefined;
  } catch {
    return false;
  }
}
