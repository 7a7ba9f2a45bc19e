import type { Stats, Target } from "./stats.ts";

export interface Row extends Stats {
  readonly name: string;
  readonly rssMb?: number;
}

/** The limits of each hook, as ratios of medians to the floor. */
export function targets(rows: readonly Row[]): Target[] {
  const row = (name: string) => rows.find((known) => known.name === name);
  const median = (name: string) => row(name)?.median ?? NaN;
  const result: Target[] = [];
  const ratio = (name: string, floor: string, limit: number) => {
    result.push({ name: `${name} / ${floor}`, ratio: median(name) / median(floor), limit });
  };
  const against = (limit: number, ...names: string[]) => names.forEach((name) => ratio(name, "floor", limit));
  const both = (scene: string) => [`session-start, ${scene}`, `user-prompt-submit, ${scene}`];
  against(1.25, ...both("up"));
  against(1.15, ...both("dead"), ...both("hanging"));
  against(1.3, ...both("1000 spooled"));
  against(1.6, "session-end, up", "session-end, dead", "session-end, hanging");
  if (row("post-tool, agents")) {
    for (const scene of ["agents", "1000 for others"]) {
      against(1.25, `pre-tool, ${scene}`, `post-tool, ${scene}`);
    }
    against(1.25, "pre-tool, 1000 locks");
    // The session's MCP server brings the messages; without one, they are fetched beside the prompt's request.
    for (const scene of ["agents", "agents, no MCP server"]) {
      ratio(`user-prompt-submit, ${scene}`, "user-prompt-submit, no agents", 1.05);
    }
  }
  // A link to signet-connect costs as much as the connector itself.
  if (row("session-start, link")) {
    both("link").forEach((name, i) => ratio(name, both("up")[i] ?? "", 1.05));
  }
  // Without openssl there are no certificates, and no such rows.
  if (row("floor, https")) both("https").forEach((name) => ratio(name, "floor, https", 1.25));
  for (const name of both("up")) {
    const ratio = (row(name)?.rssMb ?? NaN) / (row("floor")?.rssMb ?? NaN);
    result.push({ name: `memory of ${name} / floor`, ratio, limit: 1.15 });
  }
  return result;
}
