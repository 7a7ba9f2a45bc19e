import { enter } from "../base/door.ts";
import { opencode } from "./harness.ts";

await enter([opencode], "signet-opencode");
