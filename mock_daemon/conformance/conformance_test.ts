import { AGENTS } from "./agents.ts";
import { AUTH } from "./auth.ts";
import { BINDING } from "./binding.ts";
import { COMMON } from "./common.ts";
import { MEMORY } from "./memory.ts";
import { check } from "./row.ts";
import { SESSION_END, SESSION_START, USER_PROMPT_SUBMIT } from "./session_hooks.ts";
import { OTHER_HOOKS, TRACKER } from "./tracker.ts";

const SECTIONS = {
  "common rules, headers, health": COMMON,
  "session-start": SESSION_START,
  "user-prompt-submit": USER_PROMPT_SUBMIT,
  "session-end": SESSION_END,
  "the other hooks": OTHER_HOOKS,
  "the session tracker": TRACKER,
  "memory": MEMORY,
  "keys": AUTH,
  "keys bound to an agent": BINDING,
  "agents": AGENTS,
};

for (const [section, rows] of Object.entries(SECTIONS)) {
  Deno.test(`mock daemon follows the contract: ${section}`, async (t) => {
    for (const row of rows) await t.step(row.fact, () => check(row));
  });
}
