import { scenario as claudeCode } from "./harnesses/claude_code.ts";
import { scenario as codex } from "./harnesses/codex.ts";
import { scenario as copilot } from "./harnesses/copilot.ts";
import { scenario as gemini } from "./harnesses/gemini.ts";
import { scenario as kilo } from "./harnesses/kilo.ts";
import { scenario as kimi } from "./harnesses/kimi.ts";
import { scenario as omp } from "./harnesses/omp.ts";
import { scenario as openclaw } from "./harnesses/openclaw.ts";
import { scenario as opencode } from "./harnesses/opencode.ts";
import { scenario as pi } from "./harnesses/pi.ts";
import { scenario as qwen } from "./harnesses/qwen.ts";
import type { Scenario } from "./stage.ts";

/** The harnesses that `deno task e2e` plays, in this order. Adding one: a file in harnesses/, and a line here. */
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
