import { enter } from "../base/door.ts";
import { claudeCode } from "./harness.ts";

await enter([claudeCode], "signet-claude-code");
