import { stripControls } from "./strip_controls.ts";

/**
 * Text from the daemon without what could change how it is displayed: escape
 * sequences, control characters and bidirectional overrides. "" if it is not a string.
 */
export function plainText(value: unknown): string {
  return typeof value === "string" ? stripControls(value).replace(/[\u202a-\u202e\u2066-\u2069]/g, "") : "";
}
