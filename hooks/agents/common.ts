/** What every file of the mesh that is loaded on demand imports; see hooks/common.ts. */
import "../common.ts";
import "./config/has_user_config.ts";
import "./config/lock_modes.ts";
import "./config/repository_limits.ts";
import "./locks/lock_reason.ts";
import "./locks/not_checked.ts";
import "./sessions/handle.ts";
import "./sessions/session.ts";
import "./sessions/subagents.ts";
import "./sessions/terminal.ts";
import "./sessions/turn_ends.ts";
