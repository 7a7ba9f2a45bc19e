import { parseObject } from "../json.ts";
import { tailFile, tailLines } from "./tail_lines.ts";

const POLL_MS = 20;
/** The line of a hook is near the end of the file. */
const MAX_TAIL_BYTES = 1024 * 1024;

/**
 * Waits until Copilot CLI has written the conversation to the file, or until
 * `stop`. It writes about 100 ms behind its hooks, and it writes a line for each
 * hook: while the hook of the session's end runs, its line is the newest.
 */
export async function awaitEnd(path: string, stop: () => boolean): Promise<boolean> {
  while (!stop()) {
    if (await endsHere(path)) return true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return false;
}

async function endsHere(path: string): Promise<boolean> {
  try {
    if (!(await Deno.stat(path)).isFile) return false;
    using file = await Deno.open(path);
    const { size } = await file.stat();
    for await (const text of tailLines(tailFile(file, size), MAX_TAIL_BYTES)) {
      const line = parseObject(text);
      if (line?.type === "hook.start") return text.includes('"hookType":"sessionEnd"');
      // A finished hook, or the end of an earlier run of this session.
      if (line?.type === "hook.end" || line?.type === "session.shutdown") return false;
    }
    return false;
  } catch {
    return false; // not written yet
  }
}
