/**
 * The code that few hook calls need, behind one dynamic import. What a hook loads it
 * parses each time, 2 ms for 100 KB, so each kind of hook has its own code
 * (event_hook.ts, agents/hook.ts).
 */
import "./common.ts";
export { drainMain } from "./spool/drain_main.ts";
export { onCheckpoint } from "./on/checkpoint.ts";
export { onCompactionComplete } from "./on/compaction_complete.ts";
export { onPreCompaction } from "./on/pre_compaction.ts";
export { onSessionEnd } from "./on/session_end.ts";
