import { enter } from "../base/entry.ts";
import { kimi } from "./harness.ts";

await enter([kimi], "signet-kimi");
