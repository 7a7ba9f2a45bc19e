import type { Finding } from "../harness.ts";

/** A finding that `doctor --fix` can mend by installing again. */
export interface Diagnosis extends Finding {
  readonly mendable?: boolean;
}
