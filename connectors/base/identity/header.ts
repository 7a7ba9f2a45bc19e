import type { Site } from "../harness.ts";

const FIRST = "# Auto-generated from ";
const DATE = "# Generated: ";
const WARNING = "# DO NOT EDIT";

/** The header of Signet's connectors; the lines are the same, so that each recognises the other's files. */
export function generatedHeader(source: string, directory: string, now: Date): string {
  const path = oneLine(source);
  return [
    `${FIRST}${path}`,
    `# Source: ${path}`,
    `${DATE}${now.toISOString()}`,
    `${WARNING} - changes will be overwritten`,
    `# Edit the source files in ${oneLine(directory)}/ instead`,
    "",
    "",
  ].join("\n");
}

function oneLine(path: string): string {
  return path.replace(/[\r\n]+/g, " ");
}

function head(text: string): string[] {
  return text.replace(/^\uFEFF/, "").split("\n", 6).map((line) => line.replace(/\r$/, ""));
}

/** Whether a file starts with a generated header. The ledger records whether this connector wrote it. */
export function isGenerated(text: string): boolean {
  const lines = head(text);
  return lines.some((line) => line.startsWith(FIRST)) && lines.some((line) => line.startsWith(WARNING));
}

/** Whether a file exists that we did not generate. One that cannot be read may be the user's. */
export function isUsersFile(site: Pick<Site, "exists" | "readText">, path: string): boolean {
  return site.exists(path) && !isGenerated(site.readText(path) ?? "");
}

/** For comparison: two generated files with the same sources differ only in this line. */
export function withoutDateLine(text: string): string {
  if (!isGenerated(text)) return text;
  const at = head(text).findIndex((line) => line.startsWith(DATE));
  return at < 0 ? text : text.split("\n").toSpliced(at, 1).join("\n");
}
