/** What every file of locks that is loaded on demand imports; see hooks/common.ts. */
import "../common.ts";
import "./locks.ts";
import "./shell/covers.ts";
import "./targets/patch_targets.ts";
import "./targets/shared_path.ts";
import "./targets/tool_targets.ts";
import "./tool_call.ts";
