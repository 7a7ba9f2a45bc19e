/** What most descriptors share, in one file of the bundle; see hooks/common.ts. */
import "../../hooks/common.ts";
import "./hooks_config/hook_command.ts";
import "./identity/header.ts";
import "./versions/compare.ts";
