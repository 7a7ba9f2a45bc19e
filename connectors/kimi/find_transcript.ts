import { parseObject } from "../../hooks/json.ts";

/** Kimi Code adds a line of 230 characters for each session, so this covers the last four thousand. */
const MAX_BYTES = 1024 * 1024;

/** The directory of a session, by Kimi Code's index of sessions; undefined if it is not there. */
export function sessionDir(indexPath: string, session: string): string | undefined {
  for (const line of tail(indexPath).split("\n").toReversed()) {
    if (!line.includes(session)) continue;
    const entry = parseObject(line);
    if (entry?.sessionId === session && typeof entry.sessionDir === "string") return entry.sessionDir;
  }
  return undefined;
}

function tail(path: string): string {
  try {
    if (!Deno.statSync(path).isFile) return "";
    using file = Deno.openSync(path);
    const { size } = file.statSync();
    const bytes = new Uint8Array(Math.min(size, MAX_BYTES));
    file.seekSync(size - bytes.length, Deno.SeekMode.Start);
    let used = 0;
    for (let n = file.readSync(bytes); n; n = file.readSync(bytes.subarray(used))) used += n;
    return new TextDecoder().decode(bytes.subarray(0, used));
  } catch {
    return "";
  }
}
