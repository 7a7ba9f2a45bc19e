import type { Harness } from "./base/harness.ts";

/** Loads one harness by its id, where loading all of HARNESSES would take too long. */
export const HARNESS_LOADERS: ReadonlyMap<string, () => Promise<Harness>> = new Map([
  ["pyagent", async () => (await import("./pyagent/harness.ts")).pyagent],
  ["claude-code", async () => (await import("./claude_code/harness.ts")).claudeCode],
  ["codex", async () => (await import("./codex/harness.ts")).codex],
  ["opencode", async () => (await import("./opencode/harness.ts")).opencode],
  ["openclaw", async () => (await import("./openclaw/harness.ts")).openclaw],
  ["gemini", async () => (await import("./gemini/harness.ts")).gemini],
  ["copilot", async () => (await import("./copilot/harness.ts")).copilot],
  ["qwen", async () => (await import("./qwen/harness.ts")).qwen],
  ["kimi", async () => (await import("./kimi/harness.ts")).kimi],
  ["pi", async () => (await import("./pi/harness.ts")).pi],
  ["kilo", async () => (await import("./kilo/harness.ts")).kilo],
  ["omp", async () => (await import("./omp/harness.ts")).omp],
]);
