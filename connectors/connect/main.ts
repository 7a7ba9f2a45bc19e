import { CONNECT_BINARY } from "../base/command.ts";
import { enter } from "../base/door.ts";
import { HARNESSES } from "../registry.ts";

await enter(HARNESSES, CONNECT_BINARY);
