import { AGENT_ROWS } from "./agent_rows.ts";
import { HEALTH_ROWS } from "./health_rows.ts";
import { HOOK_ROWS } from "./hook_rows.ts";
import { KEY_ROWS } from "./key_rows.ts";
import { MEMORY_INPUT_ROWS } from "./memory_input_rows.ts";
import { MEMORY_ROWS } from "./memory_rows.ts";
import { SESSION_ROWS } from "./session_rows.ts";
import { TRANSCRIPT_ROWS } from "./transcript_rows.ts";
import type { WireRow } from "./wire_row.ts";

/** Keys come last: their last row uses up the admin's calls for a minute. */
export const ALL_ROWS: readonly WireRow[] = [
  ...HEALTH_ROWS,
  ...HOOK_ROWS,
  ...SESSION_ROWS,
  ...TRANSCRIPT_ROWS,
  ...MEMORY_INPUT_ROWS,
  ...MEMORY_ROWS,
  ...AGENT_ROWS,
  ...KEY_ROWS,
];
