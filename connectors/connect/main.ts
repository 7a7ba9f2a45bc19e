import { CONNECT_BINARY } from "../base/hooks_config/hook_command.ts";
import { enter } from "../base/entry.ts";
import { HARNESSES } from "../registry.ts";

await enter(HARNESSES, CONNECT_BINARY, async () => (await import("./commands.ts")).CONNECT_COMMANDS);
