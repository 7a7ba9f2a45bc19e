import { enter } from "../base/entry.ts";
import { claudeCode } from "./harness.ts";

await enter([claudeCode], "signet-claude-code");
