/**
 * The code that most hook calls do not need, behind one dynamic import. The
 * build makes it one file, which is parsed only when it is used. With several
 * dynamic imports the bundler would split off what they share, and every prompt
 * would load those files too.
 */
export { agentHook } from "./agents/hook.ts";
export { withMesh } from "./agents/turn.ts";
export { drainMain } from "./spool/drain_main.ts";
export { onCheckpoint } from "./on/checkpoint.ts";
export { onCompactionComplete } from "./on/compaction_complete.ts";
export { onPreCompaction } from "./on/pre_compaction.ts";
export { onSessionEnd } from "./on/session_end.ts";
