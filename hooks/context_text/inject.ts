import { stripControls } from "./strip_controls.ts";

/** A text from the daemon, made safe for a terminal and small enough for a harness. */
export function tidy(text: string, max: number): string {
  return fit(stripControls(text).trim(), max);
}

const CUT = "\n[truncated]";

/**
 * Shortens by taking from the longest sections first. Signet puts the identity
 * before the memories, so cutting the end would drop every memory.
 */
export function fit(text: string, max: number): string {
  if (text.length <= max) return text;
  const sections = text.split(/\n(?=#{1,3} )/);
  const room = max - (sections.length - 1);
  let level = share(sections.map((section) => section.length), room);
  if (level <= CUT.length * 2) return cut(text, max);
  level = Math.floor(level);
  return sections.map((section) => section.length <= level ? section : cut(section, level)).join("\n");
}

/** The length that, as the most for each, makes them fit together. */
function share(lengths: number[], room: number): number {
  const sorted = [...lengths].sort((a, b) => a - b);
  let left = room;
  for (const [i, length] of sorted.entries()) {
    const each = left / (sorted.length - i);
    if (length > each) return each;
    left -= length;
  }
  return room;
}

function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  return text.slice(0, Math.max(0, max - CUT.length)).toWellFormed().replace(/\ufffd$/, "") +
    CUT.slice(0, max);
}
