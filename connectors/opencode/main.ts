import { enter } from "../base/entry.ts";
import { opencode } from "./harness.ts";

await enter([opencode], "signet-opencode");
