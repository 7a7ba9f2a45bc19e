import process from "node:process";
import { CONNECT_BINARY } from "../base/hooks_config/hook_command.ts";
import { calledAs, enter } from "../base/entry.ts";
import { HARNESSES } from "../registry.ts";

const harness = calledAs(HARNESSES, process.argv0);
if (harness !== undefined) await enter([harness], harness.binary);
else await enter(HARNESSES, CONNECT_BINARY, async () => (await import("./commands.ts")).CONNECT_COMMANDS);
