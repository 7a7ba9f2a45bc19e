import { stripControls } from "./strip_controls.ts";
import { truncate, TRUNCATED } from "./truncate.ts";

/** Text from the daemon, made safe to print and short enough for the harness. */
export function injectable(text: string, max: number): string {
  return fit(stripControls(text).trim(), max);
}

/**
 * Shortens a text by cutting its longest sections first. Signet puts the identity
 * before the memories, so cutting the end would drop every memory.
 */
export function fit(text: string, max: number): string {
  if (text.length <= max) return text;
  const sections = text.split(/\n(?=#{1,3} )/);
  const room = max - (sections.length - 1);
  let level = share(sections.map((section) => section.length), room);
  if (level <= TRUNCATED.length * 2) return cut(text, max);
  level = Math.floor(level);
  return sections.map((section) => section.length <= level ? section : cut(section, level)).join("\n");
}

/** The greatest length per section with which all of them fit. */
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

/** Truncates so that the mark fits too. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  return truncate(text, max - TRUNCATED.length, TRUNCATED).slice(0, max);
}
