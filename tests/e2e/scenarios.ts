import { scenario as claudeCode } from "./claude_code.ts";
import { scenario as codex } from "./codex.ts";
import { scenario as copilot } from "./copilot.ts";
import { scenario as gemini } from "./gemini.ts";
import { scenario as kilo } from "./kilo.ts";
import { scenario as kimi } from "./kimi.ts";
import { scenario as omp } from "./omp.ts";
import { scenario as openclaw } from "./openclaw.ts";
import { scenario as opencode } from "./opencode.ts";
import { scenario as pi } from "./pi.ts";
import { scenario as qwen } from "./qwen.ts";
import type { Scenario } from "./stage.ts";

/** The harnesses that `deno task e2e` plays, in this order. Adding one: a file, and a line here. */
export const SCENARIOS: readonly Scenario[] = [
  claudeCode,
  codex,
  opencode,
  openclaw,
  gemini,
  copilot,
  qwen,
  kimi,
  pi,
  kilo,
  omp,
];
