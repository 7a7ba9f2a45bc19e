import { stripControls } from "./strip_controls.ts";

/** A string from the daemon without control characters; "" if it is not a string. */
export function plainText(value: unknown): string {
  return typeof value === "string" ? stripControls(value) : "";
}
