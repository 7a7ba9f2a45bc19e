import { enter } from "../base/entry.ts";
import { qwen } from "./harness.ts";

await enter([qwen], "signet-qwen");
