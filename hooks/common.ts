/**
 * What the frequent hooks share, and each file that is loaded on demand imports. The
 * bundler makes a file of the modules that the same entries import, and each file costs
 * a hook 0.05 ms: without this list it would load two dozen of them. A test of the
 * bundle counts them.
 */
import "./agents/config/repository_dir.ts";
import "./agents/dir.ts";
import "./agents/event.ts";
import "./agents/is_time.ts";
import "./agents/locks/has_locks.ts";
import "./agents/log_line.ts";
import "./agents/messages/receiving.ts";
import "./agents/messages/waiting.ts";
import "./agents/sessions/session_record.ts";
import "./agents/wake/doorbell.ts";
import "./args.ts";
import "./context_text/inject.ts";
import "./context_text/plain_text.ts";
import "./context_text/strip_controls.ts";
import "./context_text/truncate.ts";
import "./daemon/agent_keys.ts";
import "./daemon/describe.ts";
import "./daemon/origin.ts";
import "./event.ts";
import "./json.ts";
import "./log.ts";
import "./redact.ts";
import "./state/caller.ts";
import "./state/exists.ts";
import "./state/live_sessions.ts";
import "./state/made_dirs.ts";
import "./state/paths.ts";
import "./state/session_file.ts";
import "./state/state_file.ts";
import "./stdin.ts";
import "./write_out.ts";
