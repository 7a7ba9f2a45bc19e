import { EVENT_NAMES, type EventName } from "../../hooks/event.ts";

/** One line of hook.log: a hook that ran. */
export interface HookRun {
  readonly event: EventName;
  readonly ms: number;
}

/** The hooks that hook.log has since a moment. */
export async function hookRuns(path: string, since: Date): Promise<HookRun[]> {
  const text = await Deno.readTextFile(path).catch(() => "");
  const runs: HookRun[] = [];
  for (const line of text.split("\n").filter((each) => each.startsWith("{"))) {
    const entry: { at?: string; event?: string; ms?: number } = JSON.parse(line);
    const event = EVENT_NAMES.find((name) => name === entry.event);
    if (event === undefined || entry.ms === undefined || entry.at === undefined) continue;
    if (new Date(entry.at) >= since) runs.push({ event, ms: entry.ms });
  }
  return runs;
}
