import type { Harness } from "./base/harness.ts";
import { claudeCode } from "./claude_code/harness.ts";
import { codex } from "./codex/harness.ts";
import { copilot } from "./copilot/harness.ts";
import { gemini } from "./gemini/harness.ts";
import { kilo } from "./kilo/harness.ts";
import { kimi } from "./kimi/harness.ts";
import { omp } from "./omp/harness.ts";
import { openclaw } from "./openclaw/harness.ts";
import { opencode } from "./opencode/harness.ts";
import { pi } from "./pi/harness.ts";
import { pyagent } from "./pyagent/harness.ts";
import { qwen } from "./qwen/harness.ts";

/** Every supported harness. Add a new one here; CONTRIBUTING.md lists the steps. */
export const HARNESSES: readonly Harness[] = [
  pyagent,
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
