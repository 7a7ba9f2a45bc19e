import type { Finding } from "../harness.ts";

/** A finding of doctor. */
export interface Diagnosis extends Finding {
  /** `doctor --fix` can fix it by installing again. */
  readonly fixable?: boolean;
}
