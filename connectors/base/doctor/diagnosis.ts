import type { EventName } from "../../../hooks/event.ts";
import type { Finding } from "../harness.ts";

/** A finding of doctor. */
export interface Diagnosis extends Finding {
  /** A stable name for scripts: `daemon`, `entry`, `hook`, `mcp`. */
  readonly id: string;
  /** The event of a hook that was run. */
  readonly event?: EventName;
  /** How long the check took, if it called something. */
  readonly ms?: number;
  /** `doctor --fix` can fix it by installing again. */
  readonly fixable?: boolean;
}
