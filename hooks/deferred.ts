/**
 * The code that few hook calls need, behind one dynamic import. What a hook loads it
 * parses each time, 3 ms for 100 KB, so each kind of hook has its own code
 * (event_hook.ts, agents/hook.ts, agents/turn.ts). But what two of them share
 * becomes a file, and each file costs 0.1 ms: so there are few of them.
 */
export { drainMain } from "./spool/drain_main.ts";
export { onCheckpoint } from "./on/checkpoint.ts";
export { onCompactionComplete } from "./on/compaction_complete.ts";
export { onPreCompaction } from "./on/pre_compaction.ts";
export { onSessionEnd } from "./on/session_end.ts";
