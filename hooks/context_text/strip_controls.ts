// deno-lint-ignore-file no-control-regex -- this file matches control characters

/** OSC, DCS, SOS, PM, APC: up to their terminator, or the end of the line. */
const STRINGS =
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?/g;
const CSI = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?/g;
const ESCAPES = /\u001b[ -/]*[0-~]?/g;
/** Control characters, and the bidirectional embeddings, overrides and isolates. */
const ANY = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Removes what could change how text is displayed, or act on a terminal: escape
 * sequences, control characters and bidirectional overrides. Repairs lone surrogates.
 */
export function stripControls(text: string): string {
  // Most text is clean; this saves compiling the other expressions.
  if (!ANY.test(text) && text.isWellFormed()) return text;
  return text.toWellFormed().replace(/\r\n?/g, "\n")
    .replace(STRINGS, "").replace(CSI, "").replace(ESCAPES, "").replace(CONTROLS, "");
}
