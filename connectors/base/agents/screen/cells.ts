import { stripControls } from "../../../../hooks/context_text/strip_controls.ts";
import { charWidth } from "./char_width.ts";

/**
 * Characters about whose width terminals disagree: joiners, marks of direction,
 * variation selectors, skin tones, the letters of flags, private ones. One column of
 * difference would break the rows of a table.
 */
const UNCERTAIN =
  /[\p{Cf}\p{Co}\p{Cn}\p{Emoji_Modifier}\p{Regional_Indicator}\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;
/** More marks on a letter are there to draw over other lines. */
const STACKED = /(\p{M}{2})\p{M}+/gu;

/** Most text is plain; this saves the other expressions. */
const PLAIN = /^[ -~\t\r\n]*$/;

/** Other people's text as one line that does nothing to a terminal and whose width is known. */
export function line(text: string): string {
  if (PLAIN.test(text)) return text.replace(/\s+/g, " ").trim();
  return stripControls(text).replace(/\s+/gu, " ").replace(UNCERTAIN, "").replace(STACKED, "$1").trim();
}

const ASCII = /^[ -~]*$/;

/** How many columns a text takes. */
export function widthOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += charWidth(character);
  return width;
}

/** At most so many columns of a text; what is missing at the end is marked. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  if (width <= 0) return "";
  return `${take(text, width - 1)}…`;
}

/** The same with the end of the text, which says more about a path than its beginning. */
export function cutStart(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  if (width <= 0) return "";
  const letters = [...text].reverse();
  return `…${[...take(letters.join(""), width - 1)].reverse().join("")}`;
}

/** As many letters as fit. */
export function take(text: string, width: number): string {
  if (ASCII.test(text)) return text.slice(0, Math.max(0, width));
  let taken = "";
  let room = width;
  for (const letter of text) {
    room -= charWidth(letter);
    if (room < 0) break;
    taken += letter;
  }
  return taken;
}

/** A text in a column: cut or filled up to exactly this width. */
export function cell(text: string, width: number, align: "left" | "right" = "left"): string {
  const shown = cut(text, width);
  const fill = " ".repeat(Math.max(0, width - widthOf(shown)));
  return align === "left" ? shown + fill : fill + shown;
}

/** Breaks a text into lines between words; longer words are broken anywhere. */
export function wrapCells(text: string, width: number): string[] {
  const room = Math.max(1, width);
  const lines: string[] = [];
  let current = "";
  for (const word of text.split(" ")) {
    const joined = current === "" ? word : `${current} ${word}`;
    if (widthOf(joined) <= room) {
      current = joined;
      continue;
    }
    if (current !== "") lines.push(current);
    current = word;
    while (widthOf(current) > room) {
      const piece = take(current, room) || current.slice(0, 1);
      lines.push(piece);
      current = current.slice(piece.length);
    }
  }
  return [...lines, current];
}
