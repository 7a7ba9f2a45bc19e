import { stripControls } from "../../../../hooks/context_text/strip_controls.ts";
import type { Key } from "./keys.ts";

/** A line that is being typed, by characters. */
export interface EditedLine {
  readonly text: readonly string[];
  /** How many characters are before the cursor. */
  readonly cursor: number;
}

/** What `send` takes, with room for its envelope. */
const MAX_LENGTH = 60_000;

/** What a key does to a line. */
export function editLine({ text, cursor }: EditedLine, key: Key): EditedLine {
  if (key.kind === "text") {
    const added = [...stripControls(key.text)].slice(0, MAX_LENGTH - text.length);
    return {
      text: [...text.slice(0, cursor), ...added, ...text.slice(cursor)],
      cursor: cursor + added.length,
    };
  }
  switch (key.name) {
    case "left":
      return { text, cursor: Math.max(0, cursor - 1) };
    case "right":
      return { text, cursor: Math.min(text.length, cursor + 1) };
    case "home":
    case "ctrl-a":
      return { text, cursor: 0 };
    case "end":
    case "ctrl-e":
      return { text, cursor: text.length };
    case "backspace":
      return cursor === 0 ? { text, cursor } : { text: text.toSpliced(cursor - 1, 1), cursor: cursor - 1 };
    case "delete":
    case "ctrl-d":
      return { text: text.toSpliced(cursor, 1), cursor };
    case "ctrl-u":
      return { text: text.slice(cursor), cursor: 0 };
    case "ctrl-k":
      return { text: text.slice(0, cursor), cursor };
    case "ctrl-w": {
      const start = wordStart(text, cursor);
      return { text: text.toSpliced(start, cursor - start), cursor: start };
    }
    default:
      return { text, cursor };
  }
}

function wordStart(text: readonly string[], cursor: number): number {
  let at = cursor;
  while (at > 0 && text[at - 1] === " ") at--;
  while (at > 0 && text[at - 1] !== " ") at--;
  return at;
}
