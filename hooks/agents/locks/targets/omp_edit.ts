import { isObject } from "../../../json.ts";
import { patchTargets } from "./patch_targets.ts";

/**
 * The files that oh-my-pi's `edit` changes. The tool has five forms, one per
 * model: a path with texts or diffs, or one `input` with a patch of files.
 * An undefined path means that the form is not known.
 */
export function ompEditTargets(fields: Record<string, unknown>): (string | undefined)[] {
  const { path, edits, input } = fields;
  if (typeof path === "string") {
    const renamed = (Array.isArray(edits) ? edits : []).map((edit) =>
      isObject(edit) ? edit.rename : undefined
    );
    return [path, ...renamed.filter((name) => typeof name === "string")];
  }
  if (typeof input !== "string") return [undefined];
  const paths = [...patchTargets(input) ?? [], ...anchoredTargets(input), ...hashlineTargets(input)];
  return paths.length === 0 ? [undefined] : [...new Set(paths)];
}

/** `<SM:EDIT path="a.ts">`, alone on its line. */
function anchoredTargets(input: string): string[] {
  return [...input.matchAll(/^[ \t]*<SM:EDIT\b[^\n>]*?\bpath=(?:"([^"\n]+)"|'([^'\n]+)'|([^\s>]+))/gm)]
    .map(([, double, single, bare]) => double ?? single ?? bare ?? "");
}

/**
 * `[a.ts#1f3a]` above the lines of each file, and `MV b.ts` among them. Only such a
 * header can come first; the text of a file has `+` in front.
 */
function hashlineTargets(input: string): string[] {
  const lines = input.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  const first = lines.find((line) => line !== "*** Begin Patch") ?? "";
  if (headerPath(first) === undefined) return [];
  return lines.flatMap((line) =>
    headerPath(line) ?? /^MV\s+(.+)$/.exec(line)?.[1]?.replace(QUOTES, "$2") ?? []
  );
}

const QUOTES = /^(["'])(.*)\1$/;

/** A path may have brackets of its own: `[app/[id].ts#1f3a]`. */
function headerPath(line: string): string | undefined {
  return /^\[(.+)\]$/.exec(line)?.[1]?.replace(/#[0-9A-Za-z]{2,8}$/, "");
}
