import { isObject } from "../../hooks/json.ts";
import { stats, type Target } from "./stats.ts";
import type { Row } from "./targets.ts";

/** A page with a hundred times as many messages may work this much longer for a frame. */
const LIMIT = 3;

/**
 * How long the monitor page works for a frame in a real browser while the user moves along the lanes. Their
 * ratio is that of the fastest frames: other work on the machine makes any frame slower, and none faster.
 */
export async function monitorFrames(root: string): Promise<{ rows: Row[]; targets: Target[] }> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "tests/browser/main.ts", "--frames"],
    cwd: root,
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes).trim();
  if (!success) {
    const why = text(stderr).split("\n").find((line) => line !== "") ?? "the browser failed";
    console.error(`! There are no rows for the frames of the monitor page: ${why}`);
    return { rows: [], targets: [] };
  }
  const rows = parseRows(text(stdout).split("\n").at(-1) ?? "");
  const targets = rows.flatMap((small, index): Target[] => {
    const large = rows[index + 1];
    if (index % 2 === 1 || large === undefined) return [];
    return [{
      name: `${large.name} / ${small.name.split(", ").slice(2).join(", ")}`,
      ratio: large.min / small.min,
      limit: LIMIT,
    }];
  });
  return { rows, targets };
}

function parseRows(line: string): Row[] {
  const list: unknown = JSON.parse(line);
  return (Array.isArray(list) ? list : []).flatMap((row) => {
    const times = isObject(row) && Array.isArray(row.times)
      ? row.times.filter((ms) => typeof ms === "number")
      : [];
    return isObject(row) && typeof row.name === "string" ? [{ name: row.name, ...stats(times) }] : [];
  });
}
